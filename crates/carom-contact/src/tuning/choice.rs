//! What was chosen between two bodies, why, and how good it is.

use carom_model::LayerSpec;
use carom_time::Span;

use super::{CLOSING, KICKS, LOAD_NUMBER, STEP_TIMES_FREQUENCY};

/// The layers between two bodies, and the numbers that judge them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTuning {
    /// The bodies.
    pub bodies: [u32; 2],
    /// The layers.
    pub spec: LayerSpec,
    /// Step `h₁`, in s.
    pub step_s: f64,
    /// Closing speed it was made for, in m/s.
    pub speed: f64,
    /// Kicks while crossing the first layer; infinite at rest.
    pub kicks: f64,
    /// `h₁ω₁`.
    pub step_times_frequency: f64,
    /// Λ.
    pub load_number: f64,
    /// How far the bodies close between two kicks of their slowest elastic clock, over `η₁`.
    pub closing: f64,
    /// The pressure to be ready for, in Pa, where the steps of a body could follow it.
    pub pressure_pa: Option<f64>,
    /// The layer that carries that pressure.
    pub carrying_layer: u32,
    /// The step of that layer, where the scene gives contact none that is shorter.
    pub carrying_span: Span,
    /// Where closing speed, step and stiffness come from.
    pub reasons: Reasons,
}

/// Where the numbers of a choice come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasons {
    /// The closing speed.
    pub speed: SpeedReason,
    /// The step.
    pub step: StepReason,
    /// Whether the scene gives the stiffness.
    pub stiffness_is_given: bool,
}

/// Where the closing speed comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpeedReason {
    /// Velocities of the start, and of what is driven.
    #[default]
    Start,
    /// A fall.
    Fall,
    /// Loads and the way they have.
    Loads,
    /// Energy stored in springs and strain at the start.
    Stored,
    /// The scene.
    Given,
}

/// What a step of contact is as short as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepReason {
    /// The shortest step of the elements of either body, or that of fields where there are none.
    Elements,
    /// The closing speed.
    Speed,
    /// The load number.
    Loads,
    /// The stiffness that the expected pressure asks for.
    Pressure,
    /// What deeper layers need.
    Deeper,
    /// The scene.
    Given,
}

impl ContactTuning {
    /// What it was made for and where its numbers come from, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Reasons { speed, step, stiffness_is_given } = self.reasons;
        let pressed = self
            .pressure_pa
            .map(|pressure| format!(", and {pressure:.2e} Pa, which layer {} carries", self.carrying_layer));
        format!(
            "{:.3} m/s ({}){}; step {}, stiffness {}",
            self.speed,
            speed.in_words(),
            pressed.unwrap_or_default(),
            step.in_words(),
            if stiffness_is_given { "as given" } else { "for h₁ω₁ = 0.1" }
        )
    }

    /// What is poor about it, if something is.
    #[must_use]
    pub fn complaint(&self) -> Option<Complaint> {
        let said = |words, remedy| Some(Complaint { words, remedy });
        if self.kicks < 0.5 * KICKS {
            let words = format!("only {:.2} kicks cross the first layer: energy will wander", self.kicks);
            return said(words, "raise `contact.thickness`, or shorten `contact.step`");
        }
        if self.step_times_frequency > 3.0 * STEP_TIMES_FREQUENCY {
            let words = format!("the contact is stiff for its step: h₁ω₁ = {:.2}", self.step_times_frequency);
            return said(words, "lower `contact.stiffness`, or shorten `contact.step`");
        }
        if self.load_number > 10.0 * LOAD_NUMBER {
            let words = format!("the loads kick the contact into bouncing: Λ = {:.2}", self.load_number);
            return said(words, "raise `contact.thickness`, or shorten `contact.step`");
        }
        if self.closing > 2.0 * CLOSING {
            let words = format!(
                "the bodies close by {:.2} of the thickness between two kicks of their own",
                self.closing
            );
            return said(
                words,
                "take shorter elastic steps (`clocks.step`, `clocks.safety`), or raise `contact.thickness`",
            );
        }
        None
    }
}

/// What is poor about a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The number that is poor, and what follows from it.
    pub words: String,
    /// What makes it better.
    pub remedy: &'static str,
}

impl SpeedReason {
    const fn in_words(self) -> &'static str {
        match self {
            Self::Start => "velocities at the start, and of what is driven",
            Self::Fall => "a fall",
            Self::Loads => "loads and the way they have",
            Self::Stored => "energy stored at the start",
            Self::Given => "as given",
        }
    }
}

impl StepReason {
    const fn in_words(self) -> &'static str {
        match self {
            Self::Elements => "that of the fastest elements",
            Self::Speed => "for 6 kicks at that speed",
            Self::Loads => "for the acceleration by loads",
            Self::Pressure => "for the stiffness that the pressure asks for",
            Self::Deeper => "as short as deeper layers allow",
            Self::Given => "as given",
        }
    }
}
