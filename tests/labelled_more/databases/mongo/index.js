// mongosh "$URI" index.js
const since = new Date(Date.now() - 30 * 864e5);

db.batches.aggregate([
  { $match: { closed: { $gte: since }, style: { $ne: 'test' } } },
  { $lookup: { from: 'tanks', localField: 'tank', foreignField: '_id', as: 'tank' } },
  { $unwind: '$tank' },
  { $group: { _id: { hall: '$tank.hall', style: '$style' }, litres: { $sum: '$litres' }, n: { $sum: 1 }, og: { $avg: '$og' } } },
  { $sort: { litres: -1 } },
]).forEach((d) => print(d._id.hall, d._id.style, d.n, d.litres, d.og.toFixed(4)));

db.batches.updateMany({ closed: { $lt: since }, probe: { $exists: true } }, { $unset: { probe: '' } });
