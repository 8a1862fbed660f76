import unicodedata

from django.db import migrations, models

import marketplace.models.accounts


def normalize(apps, schema_editor):
    """Bring names into the form in which they are looked up. Where somebody else has that name by now, the login's
    number is added: an operator can tell its person, who could not sign in before."""
    User = apps.get_model("marketplace", "User")
    for user in User.objects.order_by("pk").only("pk", "username").iterator():
        name = unicodedata.normalize("NFKC", user.username)[:150]
        if name == user.username:
            continue
        if User.objects.exclude(pk=user.pk).filter(username__iexact=name).exists():
            name = f"{name[:130]}-{user.pk}"
        User.objects.filter(pk=user.pk).update(username=name)


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0015_sign_in_links")]

    operations = [
        migrations.RunPython(normalize, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(username=marketplace.models.accounts.NFKC("username")), name="username_is_nfkc"
            ),
        ),
    ]
