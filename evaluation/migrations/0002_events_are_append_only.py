from django.db import migrations

from annotations.append_only import forbid_updates


class Migration(migrations.Migration):
    """What happened to a run stays written; events go only together with their run."""

    dependencies = [("evaluation", "0001_initial"), ("annotations", "0002_gold_never_changes")]

    operations = [forbid_updates("evaluation_runevent")]
