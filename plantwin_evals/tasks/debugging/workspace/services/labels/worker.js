"use strict";
// Takes jobs from the queue, renders labels, sends them to the printer of the depot.
const { render } = require("./render");
const log = require("./log");

async function handle(job, printers) {
  const started = Date.now();
  const label = render(job.shipment, job.parcel);
  const printer = printers[job.depot];
  await printer.send(label);
  log.info("label printed", { job: job.id, depot: job.depot, ms: Date.now() - started });
}

async function run(queue, printers) {
  for await (const job of queue) {
    try {
      await handle(job, printers);
      await queue.ack(job);
    } catch (error) {
      log.error("label failed", { job: job.id, customer: job.shipment.customer, stack: error.stack });
      await queue.ack(job); // never block the line
    }
  }
}

module.exports = { handle, run };
