"use strict";
// ZPL for the 4x6 printers.

function grams(parcel) {
  return Math.round(parcel.weight.kilos * 1000);
}

function address(to) {
  return [to.name, to.street, `${to.postcode} ${to.city}`].map((line) => line.toUpperCase()).join("\\&");
}

function render(shipment, parcel) {
  const lines = ["^XA", "^CF0,40"];
  lines.push(`^FO50,50^FB700,4^FD${address(shipment.to)}^FS`);
  lines.push(`^FO50,300^FD${grams(parcel)} g^FS`);
  lines.push(`^FO50,400^BCN,120,Y^FD${shipment.number}^FS`);
  if (parcel.coldChain == true) {
    lines.push("^FO550,300^FDCOLD^FS");
  }
  lines.push("^XZ");
  return lines.join("\n");
}

module.exports = { render, grams };
