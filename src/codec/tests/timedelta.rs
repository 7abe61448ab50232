//! Timedeltas. The rows of `CONVERSIONS` are what NumPy 2.4 converts; it has no text of its own for these.

use crate::codec::{NAT, convert_timedelta, format_timedelta, parse_timedelta};
use crate::dtype::TimeUnit;

type Step = (&'static str, u32);

fn unit(symbol: &str) -> TimeUnit {
    TimeUnit::from_symbol(symbol).unwrap()
}

/// A value, its step, another step and the value in that.
const CONVERSIONS: &[(i64, Step, Step, i64)] = &[
    (9, ("Y", 1), ("M", 1), 108),
    (-11, ("Y", 3), ("M", 2), -198),
    (408, ("M", 1), ("Y", 1), 34),
    (24, ("M", 25), ("Y", 2), 25),
    (1906, ("W", 1), ("D", 1), 13_342),
    (-40, ("W", 25), ("D", 2), -3500),
    (37, ("W", 1), ("h", 1), 6216),
    (-3, ("W", 25), ("h", 1), -12_600),
    (-1, ("W", 1), ("m", 1), -10_080),
    (-1, ("W", 25), ("m", 1), -252_000),
    (-1, ("W", 1), ("s", 1), -604_800),
    (-1, ("W", 1), ("s", 2), -302_400),
    (-1, ("W", 1), ("ms", 1), -604_800_000),
    (-1, ("W", 3), ("ms", 2), -907_200_000),
    (-1, ("W", 1), ("us", 1), -604_800_000_000),
    (-1, ("W", 1), ("us", 1), -604_800_000_000),
    (-1, ("W", 1), ("ns", 1), -604_800_000_000_000),
    (-1, ("W", 1), ("ns", 2), -302_400_000_000_000),
    (1036, ("D", 1), ("W", 1), 148),
    (-182, ("D", 3), ("W", 1), -78),
    (137, ("D", 1), ("h", 1), 3288),
    (555, ("D", 3), ("h", 5), 7992),
    (-6, ("D", 1), ("m", 1), -8640),
    (-6, ("D", 3), ("m", 5), -5184),
    (-1, ("D", 1), ("s", 1), -86_400),
    (-1, ("D", 25), ("s", 2), -1_080_000),
    (-1, ("D", 1), ("ms", 1), -86_400_000),
    (-1, ("D", 1), ("ms", 2), -43_200_000),
    (-1, ("D", 1), ("us", 1), -86_400_000_000),
    (-1, ("D", 1), ("us", 2), -43_200_000_000),
    (-1, ("D", 1), ("ns", 1), -86_400_000_000_000),
    (-1, ("D", 3), ("ns", 5), -51_840_000_000_000),
    (-167_328, ("h", 1), ("W", 1), -996),
    (24_752, ("h", 3), ("W", 1), 442),
    (28_584, ("h", 1), ("D", 1), 1191),
    (83_376, ("h", 25), ("D", 5), 17_370),
    (-79, ("h", 1), ("m", 1), -4740),
    (-8, ("h", 3), ("m", 1), -1440),
    (2, ("h", 1), ("s", 1), 7200),
    (1, ("h", 1), ("s", 1), 3600),
    (-1, ("h", 1), ("ms", 1), -3_600_000),
    (-1, ("h", 3), ("ms", 1), -10_800_000),
    (-1, ("h", 1), ("us", 1), -3_600_000_000),
    (-1, ("h", 1), ("us", 1), -3_600_000_000),
    (-1, ("h", 1), ("ns", 1), -3_600_000_000_000),
    (-1, ("h", 3), ("ns", 1), -10_800_000_000_000),
    (-1, ("h", 1), ("ps", 1), -3_600_000_000_000_000),
    (-1, ("h", 1), ("ps", 5), -720_000_000_000_000),
    (3_870_720, ("m", 1), ("W", 1), 384),
    (27_736_800, ("m", 3), ("W", 5), 1651),
    (24_582_240, ("m", 1), ("D", 1), 17_071),
    (-2_065_920, ("m", 3), ("D", 1), -4304),
    (-70_140, ("m", 1), ("h", 1), -1169),
    (371_400, ("m", 3), ("h", 5), 3714),
    (-143, ("m", 1), ("s", 1), -8580),
    (24, ("m", 3), ("s", 2), 2160),
    (-1, ("m", 1), ("ms", 1), -60_000),
    (-1, ("m", 25), ("ms", 2), -750_000),
    (-1, ("m", 1), ("us", 1), -60_000_000),
    (-1, ("m", 1), ("us", 1), -60_000_000),
    (-1, ("m", 1), ("ns", 1), -60_000_000_000),
    (-1, ("m", 1), ("ns", 1), -60_000_000_000),
    (-1, ("m", 1), ("ps", 1), -60_000_000_000_000),
    (-1, ("m", 25), ("ps", 1), -1_500_000_000_000_000),
    (-1, ("m", 1), ("fs", 1), -60_000_000_000_000_000),
    (-1, ("m", 1), ("fs", 1), -60_000_000_000_000_000),
    (494_121_600, ("s", 1), ("W", 1), 817),
    (-104_751_360, ("s", 25), ("W", 5), -866),
    (137_980_800, ("s", 1), ("D", 1), 1597),
    (82_252_800, ("s", 25), ("D", 2), 11_900),
    (2_253_600, ("s", 1), ("h", 1), 626),
    (813_600, ("s", 1), ("h", 2), 113),
    (255_960, ("s", 1), ("m", 1), 4266),
    (-42_432, ("s", 25), ("m", 2), -8840),
    (-2, ("s", 1), ("ms", 1), -2000),
    (1, ("s", 3), ("ms", 1), 3000),
    (-1, ("s", 1), ("us", 1), -1_000_000),
    (-1, ("s", 3), ("us", 5), -600_000),
    (-1, ("s", 1), ("ns", 1), -1_000_000_000),
    (-1, ("s", 1), ("ns", 1), -1_000_000_000),
    (-1, ("s", 1), ("ps", 1), -1_000_000_000_000),
    (-1, ("s", 25), ("ps", 1), -25_000_000_000_000),
    (-1, ("s", 1), ("fs", 1), -1_000_000_000_000_000),
    (-1, ("s", 25), ("fs", 5), -5_000_000_000_000_000),
    (670_723_200_000, ("ms", 1), ("W", 1), 1109),
    (-1_629_936_000_000, ("ms", 3), ("W", 5), -1617),
    (1_098_662_400_000, ("ms", 1), ("D", 1), 12_716),
    (-29_289_600_000, ("ms", 25), ("D", 1), -8475),
    (-5_979_600_000, ("ms", 1), ("h", 1), -1661),
    (539_280_000, ("ms", 25), ("h", 5), 749),
    (-13_080_000, ("ms", 1), ("m", 1), -218),
    (184_200_000, ("ms", 3), ("m", 2), 4605),
    (-6_642_000, ("ms", 1), ("s", 1), -6642),
    (-598_000, ("ms", 25), ("s", 5), -2990),
    (-7, ("ms", 1), ("us", 1), -7000),
    (-1, ("ms", 25), ("us", 2), -12_500),
    (-1, ("ms", 1), ("ns", 1), -1_000_000),
    (-1, ("ms", 25), ("ns", 5), -5_000_000),
    (-1, ("ms", 1), ("ps", 1), -1_000_000_000),
    (-1, ("ms", 1), ("ps", 5), -200_000_000),
    (-1, ("ms", 1), ("fs", 1), -1_000_000_000_000),
    (-1, ("ms", 1), ("fs", 5), -200_000_000_000),
    (-1, ("ms", 1), ("as", 1), -1_000_000_000_000_000),
    (-1, ("ms", 25), ("as", 5), -5_000_000_000_000_000),
    (-234_057_600_000_000, ("us", 1), ("W", 1), -387),
    (-3_562_272_000_000_000, ("us", 1), ("W", 5), -1178),
    (-1_059_177_600_000_000, ("us", 1), ("D", 1), -12_259),
    (-474_451_200_000_000, ("us", 3), ("D", 1), -16_474),
    (-23_292_000_000_000, ("us", 1), ("h", 1), -6470),
    (22_446_000_000_000, ("us", 3), ("h", 5), 3741),
    (335_520_000_000, ("us", 1), ("m", 1), 5592),
    (154_500_000_000, ("us", 3), ("m", 1), 7725),
    (-7_183_000_000, ("us", 1), ("s", 1), -7183),
    (4_875_000_000, ("us", 3), ("s", 5), 2925),
    (6_611_000, ("us", 1), ("ms", 1), 6611),
    (-4_640_000, ("us", 1), ("ms", 5), -928),
    (2, ("us", 1), ("ns", 1), 2000),
    (-1, ("us", 25), ("ns", 2), -12_500),
    (-1, ("us", 1), ("ps", 1), -1_000_000),
    (-1, ("us", 3), ("ps", 5), -600_000),
    (-1, ("us", 1), ("fs", 1), -1_000_000_000),
    (-1, ("us", 3), ("fs", 2), -1_500_000_000),
    (-1, ("us", 1), ("as", 1), -1_000_000_000_000),
    (-1, ("us", 1), ("as", 5), -200_000_000_000),
    (-1_086_825_600_000_000_000, ("ns", 1), ("W", 1), -1797),
    (139_104_000_000_000_000, ("ns", 3), ("W", 1), 690),
    (-327_801_600_000_000_000, ("ns", 1), ("D", 1), -3794),
    (-2_499_552_000_000_000_000, ("ns", 1), ("D", 5), -5786),
    (-7_376_400_000_000_000, ("ns", 1), ("h", 1), -2049),
    (-688_896_000_000_000, ("ns", 25), ("h", 1), -4784),
    (-156_600_000_000_000, ("ns", 1), ("m", 1), -2610),
    (643_200_000_000_000, ("ns", 3), ("m", 5), 6432),
    (-8_355_000_000_000, ("ns", 1), ("s", 1), -8355),
    (5_906_000_000_000, ("ns", 3), ("s", 2), 8859),
    (-6_519_000_000, ("ns", 1), ("ms", 1), -6519),
    (222_880_000, ("ns", 25), ("ms", 2), 2786),
    (-6_261_000, ("ns", 1), ("us", 1), -6261),
    (-3_042_000, ("ns", 3), ("us", 2), -4563),
    (-7, ("ns", 1), ("ps", 1), -7000),
    (1, ("ns", 25), ("ps", 5), 5000),
    (-1, ("ns", 1), ("fs", 1), -1_000_000),
    (-1, ("ns", 3), ("fs", 1), -3_000_000),
    (-1, ("ns", 1), ("as", 1), -1_000_000_000),
    (-1, ("ns", 3), ("as", 2), -1_500_000_000),
    (-6_008_400_000_000_000_000, ("ps", 1), ("h", 1), -1669),
    (1_629_600_000_000_000_000, ("ps", 3), ("h", 2), 679),
    (420_540_000_000_000_000, ("ps", 1), ("m", 1), 7009),
    (-5_018_400_000_000_000, ("ps", 25), ("m", 1), -2091),
    (2_410_000_000_000_000, ("ps", 1), ("s", 1), 2410),
    (9_785_000_000_000_000, ("ps", 3), ("s", 5), 5871),
    (8_058_000_000_000, ("ps", 1), ("ms", 1), 8058),
    (-5_739_000_000_000, ("ps", 1), ("ms", 1), -5739),
    (-6_659_000_000, ("ps", 1), ("us", 1), -6659),
    (-10_355_000_000, ("ps", 3), ("us", 5), -6213),
    (-5_603_000, ("ps", 1), ("ns", 1), -5603),
    (-11_318_000, ("ps", 1), ("ns", 2), -5659),
    (-7, ("ps", 1), ("fs", 1), -7000),
    (-1, ("ps", 25), ("fs", 5), -5000),
    (-1, ("ps", 1), ("as", 1), -1_000_000),
    (-1, ("ps", 25), ("as", 1), -25_000_000),
    (8_040_000_000_000_000_000, ("fs", 1), ("m", 1), 134),
    (-6_360_000_000_000_000_000, ("fs", 3), ("m", 2), -159),
    (-5_272_000_000_000_000_000, ("fs", 1), ("s", 1), -5272),
    (1_158_000_000_000_000_000, ("fs", 3), ("s", 2), 1737),
    (-3_462_000_000_000_000, ("fs", 1), ("ms", 1), -3462),
    (-1_327_000_000_000_000, ("fs", 3), ("ms", 1), -3981),
    (-2_266_000_000_000, ("fs", 1), ("us", 1), -2266),
    (975_000_000_000, ("fs", 1), ("us", 5), 195),
    (-192_000_000, ("fs", 1), ("ns", 1), -192),
    (2_446_000_000, ("fs", 3), ("ns", 2), 3669),
    (7_967_000, ("fs", 1), ("ps", 1), 7967),
    (-7_137_000, ("fs", 1), ("ps", 1), -7137),
    (3, ("fs", 1), ("as", 1), 3000),
    (-3, ("fs", 3), ("as", 1), -9000),
    (-5_030_000_000_000_000_000, ("as", 1), ("ms", 1), -5030),
    (76_880_000_000_000_000, ("as", 25), ("ms", 1), 1922),
    (-620_000_000_000_000, ("as", 1), ("us", 1), -620),
    (-27_330_000_000_000_000, ("as", 1), ("us", 5), -5466),
    (-5_409_000_000_000, ("as", 1), ("ns", 1), -5409),
    (-3_898_000_000_000, ("as", 3), ("ns", 2), -5847),
    (-1_327_000_000, ("as", 1), ("ps", 1), -1327),
    (-1_320_000_000, ("as", 3), ("ps", 5), -792),
    (4_311_000, ("as", 1), ("fs", 1), 4311),
    (89_280, ("as", 25), ("fs", 1), 2232),
];

#[test]
fn conversions_are_numpys_where_they_are_exact() {
    for &(value, from, to, expected) in CONVERSIONS {
        let step = |(symbol, count): Step| (unit(symbol), count);
        assert_eq!(convert_timedelta(value, step(from), step(to)).unwrap(), expected, "{value} {from:?} {to:?}");
        assert_eq!(convert_timedelta(expected, step(to), step(from)).unwrap(), value, "{expected} {to:?} {from:?}");
    }
}

#[test]
fn texts_are_in_the_unit_and_parse_back() {
    for &(value, symbol, count, text) in &[
        (0, "Y", 1, "P0Y"),
        (5, "Y", 1, "P5Y"),
        (-5, "Y", 1, "-P5Y"),
        (2, "Y", 10, "P20Y"),
        (0, "M", 1, "P0M"),
        (14, "M", 1, "P14M"),
        (3, "W", 1, "P3W"),
        (0, "D", 1, "P0D"),
        (-400, "D", 1, "-P400D"),
        (5, "h", 1, "PT5H"),
        (90, "m", 1, "PT90M"),
        (0, "s", 1, "PT0S"),
        (-5, "s", 1, "-PT5S"),
        (3, "s", 25, "PT75S"),
        (0, "ms", 1, "PT0S"),
        (5, "ms", 1, "PT0.005S"),
        (-1500, "ms", 1, "-PT1.5S"),
        (60_000, "ms", 1, "PT60S"),
        (1, "us", 1, "PT0.000001S"),
        (-1, "us", 25, "-PT0.000025S"),
        (1_000_000_001, "ns", 1, "PT1.000000001S"),
        (i64::MAX, "ns", 1, "PT9223372036.854775807S"),
        (10, "ps", 1, "PT0.00000000001S"),
        (-100, "fs", 1, "-PT0.0000000000001S"),
        (i64::MAX, "as", 1, "PT9.223372036854775807S"),
        (-i64::MAX, "as", 1, "-PT9.223372036854775807S"),
        (-i64::MAX, "D", 1, "-P9223372036854775807D"),
        (i64::MAX, "W", 2_147_483_647, "P19807040619342712359383728129W"),
    ] {
        assert_eq!(format_timedelta(value, unit(symbol), count), text);
        assert_eq!(parse_timedelta(text, unit(symbol), count).unwrap(), value, "{text}");
    }
}

#[test]
fn other_durations_are_added_up() {
    for (text, symbol, expected) in [
        ("P1DT2H3.5S", "ms", 93_603_500),
        ("P1DT2H3M4S", "s", 93_784),
        ("+P1W1D", "D", 8),
        ("-P1W1DT1H", "h", -193),
        ("PT1H30M", "m", 90),
        ("PT120M", "h", 2),
        ("PT0.000000000000000001S", "as", 1),
        ("PT007.500S", "ms", 7500),
        ("PT86400S", "D", 1),
        ("P1Y2M", "M", 14),
        ("-P1Y2M", "M", -14),
        ("P24M", "Y", 2),
        // Nothing is nothing in every unit.
        ("PT0S", "Y", 0),
        ("P0Y", "ns", 0),
        ("-PT0S", "s", 0),
        ("P0Y0M0W0DT0H0M0.0S", "W", 0),
    ] {
        assert_eq!(parse_timedelta(text, unit(symbol), 1).unwrap(), expected, "{text}");
    }
}

#[test]
fn what_is_no_duration_is_an_error() {
    let plain = "an ISO 8601 duration such as `P1DT2H3.5S`";
    let point = "an ISO 8601 duration with digits behind the point of its seconds only";
    let digits = "an ISO 8601 duration with at most 18 digits of a second's fraction";
    for (text, expected) in [
        ("", plain),
        ("5", plain),
        ("P", plain),
        ("-P", plain),
        ("PT", plain),
        ("P1", plain),
        ("P1DT", plain),
        ("PD", plain),
        ("P1S", plain),
        ("PT1D", plain),
        ("PT1Y", plain),
        ("P1D1W", plain),
        ("P1D1D", plain),
        ("PT1M1H", plain),
        ("PT1HT1M", plain),
        ("PTT1M", plain),
        ("P1H", plain),
        ("P-1D", plain),
        ("--P1D", plain),
        ("p1d", plain),
        ("P1d", plain),
        ("PT1S ", plain),
        (" PT1S", plain),
        ("P1Dé", plain),
        ("P1é", plain),
        ("PT.5S", plain),
        ("PT1,5S", plain),
        ("PT1.", plain),
        ("PT1.S", point),
        ("PT1.5H", point),
        ("P1.5D", point),
        ("P1.0Y", point),
        ("PT1.0000000000000000000S", digits),
        ("NaT", plain),
    ] {
        let error = parse_timedelta(text, TimeUnit::Attosecond, 1).unwrap_err();
        assert_eq!(error.to_string(), format!("expected {expected}, found `{text}`"));
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let nines = "9".repeat(39);
    let long = format!("PT{nines}S");
    for (text, symbol, count, message) in [
        (
            "PT1H30M",
            "h",
            1,
            "expected a timedelta that is a whole count of `h`, found `PT1H30M`, of which `PT30M` would be lost",
        ),
        (
            "-PT1.3S",
            "s",
            1,
            "expected a timedelta that is a whole count of `s`, found `-PT1.3S`, of which `PT0.3S` would be lost",
        ),
        (
            "P15D",
            "W",
            1,
            "expected a timedelta that is a whole count of `W`, found `P15D`, of which `P1D` would be lost",
        ),
        (
            "P14M",
            "Y",
            1,
            "expected a timedelta that is a whole count of `Y`, found `P14M`, of which `P2M` would be lost",
        ),
        (
            "PT1M",
            "s",
            25,
            "expected a timedelta that is a whole count of `25s`, found `PT1M`, of which `PT10S` would be lost",
        ),
        (
            "PT9.223372036854775808S",
            "as",
            1,
            "expected a timedelta within the range of `as`, found `PT9.223372036854775808S`",
        ),
        (
            "-PT9.223372036854775808S",
            "as",
            1,
            "expected a timedelta within the range of `as`, found `-PT9.223372036854775808S`",
        ),
        (&long, "s", 1, &format!("expected a timedelta within the range of `s`, found `{long}`")),
        (
            "P1Y",
            "D",
            1,
            "expected a timedelta of fixed length, without years and months, for the unit `D`, found `P1Y`",
        ),
        ("P1D", "M", 5, "expected a timedelta of years and months for the unit `5M`, found `P1D`"),
        ("P1M1D", "M", 1, "expected a timedelta of years and months for the unit `M`, found `P1M1D`"),
    ] {
        assert_eq!(parse_timedelta(text, unit(symbol), count).unwrap_err().to_string(), message);
    }
    for (value, from, to, message) in [
        (
            -90,
            ("m", 1),
            ("h", 1),
            "expected a timedelta that is a whole count of `h`, found `-PT90M`, of which `PT30M` would be lost",
        ),
        (
            7,
            ("M", 1),
            ("Y", 1),
            "expected a timedelta that is a whole count of `Y`, found `P7M`, of which `P7M` would be lost",
        ),
        (
            0,
            ("Y", 1),
            ("ns", 25),
            "there is no timedelta of `Y` in `25ns`, since years and months have no fixed length",
        ),
        (1, ("D", 1), ("M", 1), "there is no timedelta of `D` in `M`, since years and months have no fixed length"),
        (10, ("s", 1), ("as", 1), "expected a timedelta within the range of `as`, found `PT10S`"),
        (i64::MAX, ("Y", 1), ("M", 1), "expected a timedelta within the range of `M`, found `P9223372036854775807Y`"),
        (NAT, ("D", 1), ("D", 1), "expected a timedelta within the range of `D`, found `-P9223372036854775808D`"),
    ] {
        let step = |(symbol, count): Step| (unit(symbol), count);
        assert_eq!(convert_timedelta(value, step(from), step(to)).unwrap_err().to_string(), message);
    }
}

#[test]
fn no_value_and_no_count_panics() {
    let values = [i64::MIN, -i64::MAX, -1, 0, 1, i64::MAX];
    let counts = [0, 1, i32::MAX as u32, u32::MAX];
    for unit in TimeUnit::ALL {
        for (value, count) in values.into_iter().flat_map(|value| counts.map(|count| (value, count))) {
            let text = format_timedelta(value, unit, count);
            if count != 0 && value != NAT {
                assert_eq!(parse_timedelta(&text, unit, count).unwrap(), value, "{text}");
            }
            for to in TimeUnit::ALL {
                for to_count in counts {
                    let _ = convert_timedelta(value, (unit, count), (to, to_count));
                    let _ = parse_timedelta(&text, to, to_count);
                }
            }
        }
    }
}
