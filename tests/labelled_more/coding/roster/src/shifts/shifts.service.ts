import { ConflictException, Injectable } from '@nestjs/common';
import { addHours, differenceInHours, isWeekend } from 'date-fns';
import { People } from '../people/people';
import { Shift, Swap } from './shift';
import { ShiftStore } from './shift.store';

const REST = 11;
const WEEK = 48;

@Injectable()
export class ShiftsService {
  constructor(private readonly store: ShiftStore, private readonly people: People) {}

  async swap({ from, to, shiftId }: Swap): Promise<Shift> {
    const shift = await this.store.get(shiftId);
    if (shift.person !== from) throw new ConflictException('not yours');
    if (!(await this.people.hasSkill(to, shift.skill))) throw new ConflictException('skill');

    const others = await this.store.of(to, addHours(shift.start, -7 * 24), addHours(shift.end, 7 * 24));
    for (const o of others) {
      const gap = o.end <= shift.start ? differenceInHours(shift.start, o.end) : differenceInHours(o.start, shift.end);
      if (gap < REST) throw new ConflictException('rest');
    }
    const hours = others.reduce((h, o) => h + differenceInHours(o.end, o.start), differenceInHours(shift.end, shift.start));
    if (hours > WEEK) throw new ConflictException('hours');

    // weekend shifts keep the bonus of whoever was planned first
    return this.store.save({ ...shift, person: to, bonusFor: isWeekend(shift.start) ? shift.bonusFor ?? from : undefined });
  }
}
