//! Macros for settings, options with names and serialized forms.

/// Builder methods that set public fields of the same name: `setters! { Settings { epochs: usize, some rate: f64, } }`
/// defines `Settings::epochs(self, epochs: usize)`, and `Settings::rate(self, rate: f64)` for a field of type
/// `Option<f64>`.
macro_rules! setters {
    ($settings:ident {}) => {};
    ($settings:ident { some $field:ident: $type:ty, $($rest:tt)* }) => {
        impl $settings {
            #[doc = concat!("Sets [`", stringify!($settings), "::", stringify!($field), "`].")]
            #[must_use]
            pub fn $field(mut self, $field: $type) -> Self {
                self.$field = Some($field);
                self
            }
        }
        $crate::macros::setters! { $settings { $($rest)* } }
    };
    ($settings:ident { $field:ident: $type:ty, $($rest:tt)* }) => {
        impl $settings {
            #[doc = concat!("Sets [`", stringify!($settings), "::", stringify!($field), "`].")]
            #[must_use]
            pub fn $field(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            }
        }
        $crate::macros::setters! { $settings { $($rest)* } }
    };
}
pub(crate) use setters;

/// An enum without fields whose variants have names: `named! { pub enum Enum("description") { Variant = "name", … } }`
/// defines the enum, `Enum::ALL`, `Enum::name`, `Display` and `FromStr`.
macro_rules! named {
    ($(#[$attribute:meta])* $visibility:vis enum $enum:ident($what:literal) {
        $($(#[$variant_attribute:meta])* $variant:ident = $name:literal),+ $(,)?
    }) => {
        $(#[$attribute])*
        $visibility enum $enum {
            $($(#[$variant_attribute])* $variant,)+
        }

        impl $enum {
            #[doc = concat!("All values of [`", stringify!($enum), "`].")]
            pub const ALL: [$enum; [$($name),+].len()] = [$($enum::$variant),+];

            /// Name on the command line and in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $($enum::$variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $enum {
            type Err = $crate::base::SettingError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $enum::ALL
                    .into_iter()
                    .find(|value| value.name() == name)
                    .ok_or_else(|| $crate::base::unknown_name($what, name, &[$($name),+]))
            }
        }
    };
}
pub(crate) use named;

/// Serializes a type in another form: `serialized_as! { Type as Form }`, with `From<Type>` for `Form` and `TryFrom<Form>`
/// for `Type`. Unlike the attributes of serde, the file of the type does not import the form.
macro_rules! serialized_as {
    ($type:ident as $form:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$form>::from(self.clone()).serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$form>::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use serialized_as;
