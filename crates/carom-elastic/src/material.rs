//! Isotropic materials: from Young's modulus and Poisson's ratio to Lamé's constants.
//!
//! A thin sheet is free to contract across its thickness, so its constants are not those of a
//! solid: each material below knows its own, and the two cannot be mixed up.
//!
//! | | first constant | second constant |
//! | --- | --- | --- |
//! | sheet, plane stress | `α = E ν/(1 − ν²)` | `β = E/(2(1 + ν))` |
//! | solid | `λ = E ν/((1 + ν)(1 − 2ν))` | `μ = E/(2(1 + ν))` |

use carom_model::{Parameter, Range};

const YOUNG: Parameter = Parameter::required("young", "Pa", "Young's modulus, in Pa.", Range::AboveZero);
const POISSON: Parameter = Parameter::required("poisson", "", "Poisson's ratio.", Range::Poisson);
const THICKNESS: Parameter = Parameter::required("thickness", "m", "Thickness, in m.", Range::AboveZero);
const RADIUS: Parameter =
    Parameter::required("radius", "m", "Radius of the section, in m.", Range::AboveZero);

/// The numbers that potentials of a shell are made from.
pub const SHELL_PARAMETERS: &[Parameter] = &[YOUNG, POISSON, THICKNESS];

/// The numbers that potentials of a solid are made from.
pub const SOLID_PARAMETERS: &[Parameter] = &[YOUNG, POISSON];

/// The numbers that the joints of a rod are made from.
pub const ROD_PARAMETERS: &[Parameter] = &[
    YOUNG,
    RADIUS,
    Parameter::optional(
        "poisson",
        "",
        "Poisson's ratio, for the shear modulus of a rod that twists.",
        Range::Poisson,
    ),
    Parameter::optional(
        "natural_curvature",
        "1/m",
        "Curvature without load, in 1/m, instead of that of the rest shape; 0 is straight.",
        Range::Any,
    ),
];

/// Lamé's constants, in Pa: energy density `½ dilation (tr ε)² + shear tr(ε²)` at small strain `ε`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// First constant, `λ` of a solid or `α` of a sheet, in Pa.
    pub dilation: f64,
    /// Second constant, `μ` or `β`, in Pa.
    pub shear: f64,
}

/// The material of a thin shell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellMaterial {
    /// Young's modulus `E`, in Pa.
    pub young: f64,
    /// Poisson's ratio `ν`, without unit.
    pub poisson: f64,
    /// Thickness `t`, in m.
    pub thickness: f64,
}

/// The material of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidMaterial {
    /// Young's modulus `E`, in Pa.
    pub young: f64,
    /// Poisson's ratio `ν`, without unit.
    pub poisson: f64,
}

/// A material that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// Young's modulus is not a positive, finite number.
    #[error("a Young's modulus of {0} Pa is not positive and finite")]
    Young(f64),
    /// Poisson's ratio is outside what a stable solid can have.
    #[error("a Poisson's ratio of {0} is not between −1 and ½ (both excluded)")]
    Poisson(f64),
    /// The thickness is not a positive, finite number.
    #[error("a thickness of {0} m is not positive and finite")]
    Thickness(f64),
}

fn check_elastic(young: f64, poisson: f64) -> Result<(), MaterialError> {
    if !(young > 0.0 && young.is_finite()) {
        return Err(MaterialError::Young(young));
    }
    if !(poisson > -1.0 && poisson < 0.5) {
        return Err(MaterialError::Poisson(poisson));
    }
    Ok(())
}

impl ShellMaterial {
    /// Whether the numbers describe a material.
    pub fn check(&self) -> Result<(), MaterialError> {
        check_elastic(self.young, self.poisson)?;
        if !(self.thickness > 0.0 && self.thickness.is_finite()) {
            return Err(MaterialError::Thickness(self.thickness));
        }
        Ok(())
    }

    /// Lamé's constants under plane stress.
    #[must_use]
    pub fn lame(&self) -> Lame {
        Lame {
            dilation: self.young * self.poisson / (1.0 - self.poisson * self.poisson),
            shear: self.young / (2.0 * (1.0 + self.poisson)),
        }
    }

    /// Bending rigidity `D = E t³/(12(1 − ν²))`, in N·m: energy `½ D κ²` per area of a cylinder.
    #[must_use]
    pub fn bending_rigidity(&self) -> f64 {
        let Self { young, poisson, thickness } = *self;
        young * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson))
    }
}

impl SolidMaterial {
    /// Whether the numbers describe a material.
    pub fn check(&self) -> Result<(), MaterialError> {
        check_elastic(self.young, self.poisson)
    }

    /// Lamé's constants in three dimensions.
    #[must_use]
    pub fn lame(&self) -> Lame {
        let Self { young, poisson } = *self;
        Lame {
            dilation: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            shear: young / (2.0 * (1.0 + poisson)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulling_a_bar_gives_back_youngs_modulus_and_poissons_ratio() {
        let steel = SolidMaterial { young: 2.1e11, poisson: 0.3 };
        let Lame { dilation, shear } = steel.lame();
        let young = shear * (3.0 * dilation + 2.0 * shear) / (dilation + shear);
        let poisson = dilation / (2.0 * (dilation + shear));
        assert!((young / steel.young - 1.0).abs() < 1e-14 && (poisson - steel.poisson).abs() < 1e-15);
    }

    #[test]
    fn pulling_a_strip_gives_back_youngs_modulus_and_poissons_ratio() {
        let sheet = ShellMaterial { young: 3e9, poisson: 0.35, thickness: 1e-3 };
        let Lame { dilation, shear } = sheet.lame();
        let poisson = dilation / (dilation + 2.0 * shear);
        let young = dilation * (1.0 - poisson) + 2.0 * shear;
        assert!((young / sheet.young - 1.0).abs() < 1e-14 && (poisson - sheet.poisson).abs() < 1e-15);
        let rigidity = 1e-9 / 12.0 * (dilation + 2.0 * shear);
        assert!((sheet.bending_rigidity() / rigidity - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_material_that_cannot_be_is_refused_with_the_number() {
        let good = ShellMaterial { young: 1e9, poisson: 0.3, thickness: 1e-3 };
        assert_eq!(good.check(), Ok(()));
        assert_eq!(ShellMaterial { young: -1.0, ..good }.check(), Err(MaterialError::Young(-1.0)));
        assert_eq!(ShellMaterial { poisson: 0.5, ..good }.check(), Err(MaterialError::Poisson(0.5)));
        assert_eq!(ShellMaterial { thickness: 0.0, ..good }.check(), Err(MaterialError::Thickness(0.0)));
        assert_eq!(SolidMaterial { young: 1.0, poisson: -1.0 }.check(), Err(MaterialError::Poisson(-1.0)));
        assert!(SolidMaterial { young: f64::NAN, poisson: 0.0 }.check().is_err());
    }
}
