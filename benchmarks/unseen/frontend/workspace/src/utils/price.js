// What a ticket costs.
import { parseDay, isWeekend, isSchoolHoliday } from "./dates.js";

export function ticketPrice(visitor) {
  var p = 5.4;
  var date = parseDay(visitor.day);
  if (visitor.age < 4) {
    return 0;
  } else if (visitor.age < 16) {
    if (visitor.pool == "lido") {
      if (isSchoolHoliday(date)) {
        if (isWeekend(date)) {
          p = 3.5;
        } else {
          p = 3.2;
        }
      } else if (isWeekend(date)) {
        p = 3.1;
      } else {
        p = 2.9;
      }
    } else if (visitor.pool == "weir" || visitor.pool == "market") {
      if (isSchoolHoliday(date) && !isWeekend(date)) {
        p = 2.5;
      } else {
        p = 2.9;
      }
    }
  } else if (visitor.age > 64) {
    if (isWeekend(date)) {
      p = visitor.pool == "lido" ? 4.9 : 4.6;
    } else {
      if (visitor.pool == "market") {
        p = 3.9;
      } else if (visitor.pool == "lido") {
        p = 4.2;
      } else {
        p = 4.0;
      }
    }
  } else {
    if (visitor.concession == true) {
      p = isWeekend(date) ? 4.2 : 3.9;
    } else if (visitor.pool == "lido") {
      if (isSchoolHoliday(date)) {
        p = isWeekend(date) ? 6.4 : 6.0;
      } else {
        p = 5.8;
      }
    } else if (isWeekend(date)) {
      p = 5.9;
    }
  }
  if (visitor.tenner) p = p * 10 * 0.85;
  return p;
}
