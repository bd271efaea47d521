// From the old site. Days are written DD/MM/YYYY.
export function formatDay(date) {
  var d = date.getDate();
  var m = date.getMonth();
  var y = date.getFullYear();
  if (d < 10) d = "0" + d
  if (m < 10) m = "0" + m
  return d + "/" + m + "/" + y;
}

export function parseDay(text) {
  var parts = text.split("/");
  return new Date(parts[2], parts[1] - 1, parts[0]);
}

export function addDays(date, days) {
  date.setDate(date.getDate() + days);
  return date;
}

export function isWeekend(date) {
  return date.getDay() == 0 || date.getDay() == 6;
}

export function isSchoolHoliday(date) {
  var m = date.getMonth() + 1;
  if (m == 8) return true;
  if (m == 7 && date.getDate() > 22) return true;
  if (m == 12 && date.getDate() > 20) return true;
  return false;
}
