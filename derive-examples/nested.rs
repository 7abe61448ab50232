//! Records within records, arrays within records, and reading only some of the fields.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Particle {
    id: u32,
    pose: Pose,
    /// An array of fixed length becomes a subarray.
    trace: [[f32; 2]; 3],
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Pose {
    position: (f64, f64, f64),
    angle: f32,
}

/// Only what is needed: other fields of the file are not even decoded.
#[derive(Deserialize)]
struct Angle {
    #[serde(rename = "id")]
    particle: u64,
    pose: OnlyAngle,
    #[serde(default)]
    weight: Option<f64>,
}

#[derive(Deserialize)]
struct OnlyAngle {
    angle: f64,
}

fn main() -> serde_npy::Result<()> {
    let particles = [
        Particle {
            id: 7,
            pose: Pose { position: (1.0, 2.0, 3.0), angle: 0.5 },
            trace: [[0.0, 0.1], [0.2, 0.3], [0.4, 0.5]],
        },
        Particle { id: 8, pose: Pose { position: (4.0, 5.0, 6.0), angle: 1.5 }, trace: [[0.0; 2]; 3] },
    ];
    let file = serde_npy::to_vec(&particles)?;
    let dtype = serde_npy::Header::read(&file[..])?.dtype().to_string();
    println!("{dtype}");
    assert_eq!(
        dtype,
        "[('id', '<u4'), ('pose', [('position', '<f8', (3,)), ('angle', '<f4')]), ('trace', '<f4', (3, 2))]"
    );
    assert_eq!(serde_npy::from_slice::<Vec<Particle>>(&file)?, particles);

    for record in serde_npy::records_from_slice::<Angle>(&file)? {
        println!("particle {} at {} rad", record.particle, record.pose.angle);
        assert_eq!(record.weight, None);
    }
    Ok(())
}
