"""Speaks callfit's wire for the published autogen-core, which makes a pydantic model of a schema."""

from typing import Any

from autogen_core.utils import schema_to_pydantic_model
from autogen_core.utils._json_to_pydantic import (
    FormatNotSupportedError,
    SchemaConversionError,
    UnsupportedKeywordError,
)
from callfit_kit import Refused, Unsupported, serve
from pydantic import ConfigDict, TypeAdapter, ValidationError

# NaN and Infinity stay what they are, where pydantic would write null.
JSON = TypeAdapter(Any, config=ConfigDict(ser_json_inf_nan="constants"))


def coerce(schema, arguments):
    """Validates one call with the model, as `BaseTool.run_json` does."""
    try:
        model = schema_to_pydantic_model(schema)
        return model.model_validate(arguments).model_dump(mode="json", exclude_unset=True)
    except (FormatNotSupportedError, UnsupportedKeywordError) as fault:
        raise Unsupported(fault) from fault
    except (SchemaConversionError, ValidationError) as fault:
        raise Refused(fault) from fault


serve("autogen-core", "https://github.com/microsoft/autogen", coerce=coerce)
