/**
 * An order as the contract of orders describes it: plain values, none of the service's code. The rules beside it change
 * it, and a test compares it with what the API answers.
 */
import { UNKNOWN_INDEX } from './steps.ts';

export type LineStatus = 'DRAFT' | 'CONFIRMED' | 'CANCELLATION_DRAFT' | 'CANCELLED';

export interface ModelLine {
  id: string;
  version: number;
  status: LineStatus;
  minor: number;
  travellers: string[];
  seats: string[];
  /** May not be ridden without a seat. */
  isSeated?: boolean;
  /** Supplements of the line. */
  meals?: number;
}

export interface ModelFee {
  id: string;
  type: string;
  minor: number;
  /** Goes with the change that the draft of this version made of the line. */
  ofChange?: { readonly line: string; readonly version: number };
}

export interface ModelTraveller {
  id: string;
  age?: number;
}

export interface ModelContent {
  lines: ModelLine[];
  fees: ModelFee[];
  travellers: ModelTraveller[];
}

export interface ModelOrder extends ModelContent {
  id: string;
  status: 'DRAFT' | 'CONFIRMED' | 'CANCELLED' | 'EXPIRED';
  version: number;
  highest: number;
  revision: number;
  expireAt?: number;
  expireAtSet: boolean;
  captured: number;
  credited: number;
  /** Of what was captured: it came with an import, and no payment can credit it. */
  imported?: number;
  /** A negative balance is paid back at the next confirmation that does not say otherwise. */
  creditBalance?: true;
  contact?: string;
  reference?: string;
  cause?: string;
  /** The last confirmed version. */
  confirmed?: number;
  /** Every version that was ever confirmed. */
  versions: Record<number, ModelContent>;
  /** The order's travellers that the travellers of searches have become. */
  searched: Record<string, string>;
}

/** The service refuses: status and code. */
export class Refused extends Error {
  readonly problem: string;

  constructor(problem: string) {
    super(problem);
    this.problem = problem;
  }
}

export function refuse(problem: string): never {
  throw new Refused(problem);
}

/** See the indexes of steps. */
export function pick<Item>(list: readonly Item[], index: number): Item | undefined {
  return index === UNKNOWN_INDEX ? undefined : list[index % list.length];
}

export function contentOf({ lines, fees, travellers }: ModelContent): ModelContent {
  return structuredClone({ lines, fees, travellers });
}

export function totalOf({ lines, fees }: ModelContent): number {
  const live = lines.filter(({ status }) => status === 'DRAFT' || status === 'CONFIRMED');
  return [...live, ...fees].reduce((sum, { minor }) => sum + minor, 0);
}

export function heldOf({ captured, credited }: ModelOrder): number {
  return captured - credited;
}

export function hasEnded({ status }: ModelOrder): boolean {
  return status === 'CANCELLED' || status === 'EXPIRED';
}

export function balanceOf(order: ModelOrder): number {
  const isOwedByNobody = hasEnded(order) && order.confirmed === undefined;
  return (isOwedByNobody ? 0 : totalOf(order)) - heldOf(order);
}

export function confirmedOf(order: ModelOrder): ModelContent | undefined {
  return order.confirmed === undefined ? undefined : order.versions[order.confirmed];
}

/** What the draft has taken beyond the price of the version that it falls back to. */
export function excessOf(order: ModelOrder): number {
  const confirmed = confirmedOf(order);
  return heldOf(order) - (confirmed ? totalOf(confirmed) : 0);
}

/** Seats that nobody else can have: of the draft, and of the last confirmed version. */
export function seatsKept(order: ModelOrder): ReadonlySet<string> {
  if (hasEnded(order)) return new Set();
  return new Set([...order.lines, ...(confirmedOf(order)?.lines ?? [])].flatMap(({ seats }) => seats));
}
