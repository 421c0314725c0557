/**
 * Converts cells to values. An empty cell always means "not given"; a wrong one throws with its place. Callers: the
 * readers of tables.
 */
import type { Column, Row } from './table.ts';

/** Stands for a time that is not given. */
export const NO_TIME = -1;

/** `25:10:00` → seconds since the start of the service day. */
export function readTime(row: Row, column: Column, name: string): number {
  const text = row.text(column);
  if (text === '') return NO_TIME;
  const seconds = parseTime(text);
  if (seconds === NO_TIME) row.fail(name, `"${text}" is no time. Times are written as HH:MM:SS.`);
  return seconds;
}

const COLON = 58;

/** Parses digit by digit, because there are millions of times. */
export function parseTime(text: string): number {
  let parts = 0;
  let seconds = 0;
  let part = 0;
  let digits = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? COLON : text.charCodeAt(at);
    if (code === COLON) {
      if (digits === 0 || digits > 3 || (parts > 0 && part > 59)) return NO_TIME;
      seconds = seconds * 60 + part;
      parts++;
      part = 0;
      digits = 0;
    } else if (code >= 48 && code <= 57) {
      part = part * 10 + code - 48;
      digits++;
    } else return NO_TIME;
  }
  if (parts === 2) return seconds * 60;
  return parts === 3 ? seconds : NO_TIME;
}

const DAY_MS = 86_400_000;

/** `20261120` → days since 1970-01-01. */
export function readDay(row: Row, column: Column, name: string): number {
  const text = row.text(column);
  const day = parseDay(text);
  if (day === undefined) row.fail(name, `"${text}" is no date. Dates are written as YYYYMMDD.`);
  return day;
}

export function parseDay(text: string): number | undefined {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text);
  if (!match) return undefined;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const ms = Date.UTC(year, month - 1, date);
  const made = new Date(ms);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === date ? ms / DAY_MS : undefined;
}

/** `2026-11-20`. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Bit 0 is Monday. */
export function weekdayBit(day: number): number {
  // 1970-01-01 was a Thursday.
  return 1 << ((((day + 3) % 7) + 7) % 7);
}

/** A whole number from 0; `otherwise` when the cell is empty or has none. */
export function wholeOr(text: string, otherwise: number): number {
  return /^\d+$/.test(text) ? Number(text) : otherwise;
}

/** NaN when the cell is empty or not a number. */
export function decimal(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}

/** Undefined when empty. */
export function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** Normalises a web address; undefined when it cannot be one. */
export function webAddress(text: string): string | undefined {
  const address = /^https?:\/\//i.test(text) ? text : /^[\w-]+(\.[\w-]+)+(\/|$)/.test(text) ? `http://${text}` : '';
  return URL.canParse(address) ? new URL(address).href : undefined;
}
