/** Texts for numbers and dates. Plain JavaScript so that `node --test` can run it without a build. */

export function money(amount, currency = "GBP") {
  if (typeof amount !== "number" || Number.isNaN(amount)) {
    return "";
  }
  return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount);
}

export function shortDate(text) {
  const date = new Date(text);
  return date.toISOString().slice(0, 10).split("-").reverse().join(".");
}

export function initials(name) {
  return name
    .split(" ")
    .map((part) => part[0])
    .join("");
}
