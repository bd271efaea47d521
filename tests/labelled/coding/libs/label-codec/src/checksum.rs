/// Weights of the modulo-103 check used by the label's linear code.
const START_CODES: [u32; 3] = [103, 104, 105];

pub(crate) fn check_digit(start: usize, values: &[u8]) -> Option<u8> {
    let seed = *START_CODES.get(start)?;
    let sum = values
        .iter()
        .enumerate()
        .fold(seed, |acc, (i, &v)| acc + (i as u32 + 1) * u32::from(v));
    Some((sum % 103) as u8)
}

/// Luhn over ASCII digits, as printed under the bars.
pub(crate) fn luhn_valid(digits: &[u8]) -> bool {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let total: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| {
            let d = u32::from(d - b'0');
            match (i % 2, d * 2) {
                (0, _) => d,
                (_, twice) if twice > 9 => twice - 9,
                (_, twice) => twice,
            }
        })
        .sum();
    total % 10 == 0
}
