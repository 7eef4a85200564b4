from django.db import migrations

from annotations.append_only import forbid_updates


class Migration(migrations.Migration):
    """A published gold standard is immutable: a correction is a new version."""

    dependencies = [("annotations", "0001_initial")]

    operations = [forbid_updates("annotations_gold", "annotations_goldversion", "annotations_goldversionentry")]
