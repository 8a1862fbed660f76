"""Ports: taken ones give one sentence."""

import os
import socket

import pytest

from supervisor.ports import Listener
from supervisor.processes import ServerError


@pytest.fixture
def taken_port():
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_a_taken_port_is_named_with_its_holder_and_the_way_out(taken_port):
    with pytest.raises(ServerError) as refused:
        Listener.open(taken_port, variable="PLATFORM_PORT")
    sentence = str(refused.value)
    assert sentence.startswith(f"Port {taken_port} is taken, probably by ")
    assert f"(process {os.getpid()})" in sentence
    assert sentence.endswith(f"or choose another port, for example PLATFORM_PORT={taken_port + 100}.")


def test_a_free_port_is_held_from_the_start():
    first = Listener.open()
    try:
        with pytest.raises(ServerError, match="is taken"):
            Listener.open(first.port)
    finally:
        first.close()
    again = Listener.open(first.port)
    assert again.port == first.port
    again.close()


def test_a_port_is_not_free_for_localhost_if_ipv6_has_it():
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with socket.socket(socket.AF_INET6) as holder:
        try:
            holder.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6 loopback")
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(ServerError, match=f"Port {port} is taken"):
            Listener.open(port, host="localhost")
        Listener.open(port, host="127.0.0.1").close()


@pytest.mark.parametrize("port", [65536, -1])
def test_a_number_that_is_no_port_is_refused(port):
    with pytest.raises(ServerError, match="PLATFORM_PORT must be a number from 1 to 65535"):
        Listener.open(port, variable="PLATFORM_PORT")
