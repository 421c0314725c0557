/**
 * Determines how often lines run. Every line shifts its first departure a little, so that not all leave the terminal in
 * one minute. Callers: the modules that plan lines.
 */
import type { Service } from './model.ts';

const hour = (h: number, minute = 0): number => h * 60 + minute;

/** About every 15 minutes by day, until past midnight. */
export function townDense(shift: number): Service[] {
  const s = (shift * 3) % 10;
  return [
    { dayType: 'Weekday', from: hour(5, 10 + s), to: hour(6, 30), every: 20 },
    { dayType: 'Weekday', from: hour(6, 35 + s), to: hour(18), every: 15 },
    { dayType: 'Weekday', from: hour(18, 15 + s), to: hour(24, 10), every: 30 },
    { dayType: 'Saturday', from: hour(6, 30 + s), to: hour(24, 10), every: 30 },
    { dayType: 'Sunday', from: hour(8, s), to: hour(23, 40), every: 30 },
  ];
}

export function townAllDay(shift: number): Service[] {
  const s = (shift * 4) % 18;
  return [
    { dayType: 'Weekday', from: hour(5, 25 + s), to: hour(8, 20), every: 20 },
    { dayType: 'Weekday', from: hour(8, 40 + s), to: hour(14, 10), every: 30 },
    { dayType: 'Weekday', from: hour(14, 20 + s), to: hour(17, 40), every: 20 },
    { dayType: 'Weekday', from: hour(18, 10 + s), to: hour(24), every: 40 },
    { dayType: 'Saturday', from: hour(7, s), to: hour(23, 55), every: 40 },
    { dayType: 'Sunday', from: hour(8, 30 + s), to: hour(23), every: 60 },
  ];
}

export function townQuiet(shift: number): Service[] {
  const s = (shift * 5) % 25;
  return [
    { dayType: 'Weekday', from: hour(5, 50 + s), to: hour(17, 50), every: 30 },
    { dayType: 'Weekday', from: hour(18, 30 + s), to: hour(22, 55), every: 60 },
    { dayType: 'Saturday', from: hour(8, s), to: hour(21, 55), every: 60 },
    { dayType: 'Sunday', from: hour(10, s), to: hour(20, 55), every: 90 },
  ];
}

export function halfHourly(shift: number): Service[] {
  const s = (shift * 7) % 28;
  return [
    { dayType: 'Weekday', from: hour(6, s), to: hour(18, 10), every: 30 },
    { dayType: 'Saturday', from: hour(9, s), to: hour(17, 40), every: 60 },
  ];
}

/** Every hour of every night, more often after Fridays and Saturdays. Minutes continue past 24:00. */
export function nightly(shift: number): Service[] {
  const s = shift * 7;
  return [
    { dayType: 'Daily', from: hour(24, 20 + s), to: hour(28, 50), every: 60 },
    { dayType: 'WeekendNight', from: hour(24, 50 + s), to: hour(27, 20), every: 60 },
  ];
}

/** The winter timetable of weekdays changes in the middle of the period. */
export function regional(shift: number): Service[] {
  const s = (shift * 9) % 30;
  return [
    { dayType: 'WeekdayFirst', from: hour(5, 40 + s), to: hour(9), every: 60 },
    { dayType: 'WeekdaySecond', from: hour(5, 35 + s), to: hour(9), every: 60 },
    { dayType: 'Weekday', from: hour(9, 45 + s), to: hour(22, 50), every: 90 },
    { dayType: 'Saturday', from: hour(8, 15 + s), to: hour(21), every: 120 },
    { dayType: 'Sunday', from: hour(10, 15 + s), to: hour(21), every: 150 },
  ];
}

export function trains(shift: number): Service[] {
  const s = shift * 17;
  return [
    { dayType: 'Weekday', from: hour(5, 5 + s), to: hour(23, 30), every: 60 },
    { dayType: 'Saturday', from: hour(7, 5 + s), to: hour(23, 30), every: 120 },
    { dayType: 'Sunday', from: hour(8, 5 + s), to: hour(23, 30), every: 120 },
  ];
}

export function ferries(everyMinutes: number): Service[] {
  return [
    { dayType: 'Weekday', from: hour(5, 30), to: hour(23, 20), every: everyMinutes },
    { dayType: 'Saturday', from: hour(7), to: hour(22, 30), every: everyMinutes + 20 },
    { dayType: 'Sunday', from: hour(8), to: hour(22, 30), every: everyMinutes + 20 },
  ];
}

export function everyDay(first: number, last: number, every: number, dayType: Service['dayType'] = 'Daily'): Service[] {
  return [{ dayType, from: first, to: last, every }];
}
