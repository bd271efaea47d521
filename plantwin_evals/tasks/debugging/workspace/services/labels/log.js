"use strict";
const write = (level, message, fields) =>
  process.stdout.write(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }) + "\n");
module.exports = {
  info: (message, fields) => write("info", message, fields),
  error: (message, fields) => write("error", message, fields),
};
