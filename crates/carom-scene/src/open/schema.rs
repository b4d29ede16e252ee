//! The JSON Schema of tables with keys of registered kinds.

use std::borrow::Cow;

use carom_model::{Absent, Parameter, Range};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::json;

use super::{Form, Keys, Open};
use crate::number::{NonNegative, Number, Poisson, Positive, Ratio, Vector};

impl<T: JsonSchema, K: Keys> JsonSchema for Open<T, K> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        let properties = schema.ensure_object().entry("properties").or_insert_with(|| json!({}));
        for key in K::keys() {
            properties[key.name] = described(key.form.schema(generator), key.about);
        }
        schema
    }
}

impl Form {
    fn schema(self, generator: &mut SchemaGenerator) -> Schema {
        match self {
            Self::Number(range, absent) => {
                let mut schema = number_schema(range, generator);
                if let Absent::Means(default) = absent {
                    schema.insert("default".into(), json!(default));
                }
                schema
            }
            Self::Vector => Vector::json_schema(generator),
            Self::Table(parameters) => table_schema(parameters, generator),
        }
    }
}

fn number_schema(range: Range, generator: &mut SchemaGenerator) -> Schema {
    match range {
        Range::Any => Number::json_schema(generator),
        Range::AboveZero => Positive::json_schema(generator),
        Range::ZeroOrMore => NonNegative::json_schema(generator),
        Range::ZeroToOne => Ratio::json_schema(generator),
        Range::Poisson => Poisson::json_schema(generator),
    }
}

fn table_schema(parameters: &[Parameter], generator: &mut SchemaGenerator) -> Schema {
    let mut properties = serde_json::Map::new();
    for p in parameters {
        properties.insert(p.name.into(), described(number_schema(p.range, generator), p.about));
    }
    let required: Vec<&str> =
        parameters.iter().filter(|p| p.absent == Absent::Refused).map(|p| p.name).collect();
    json_schema!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false
    })
}

fn described(mut schema: Schema, about: &str) -> serde_json::Value {
    schema.insert("description".into(), json!(about));
    schema.to_value()
}
