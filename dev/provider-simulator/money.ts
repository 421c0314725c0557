/**
 * The calls of the merchant on a session: each adds one operation under its key. Pure.
 *
 * The simulator does not protect callers from themselves. A second capture or refund under another key moves money again,
 * so that a test finds it in the ledger.
 */
import { createHash } from 'node:crypto';
import { cancel, reported } from './rules.ts';
import type { Operation, OperationCall, Outcome, ReportType, Session, Step } from './session.ts';

const PENDING_MS = 2_000;

export interface MoneyCall {
  readonly key: string;
  readonly call: Exclude<OperationCall, 'session'>;
  readonly fingerprint: string;
  readonly amountMinor?: number;
}

/** A repeat under the same key changes nothing. */
export function applyCall(call: MoneyCall): Step {
  return (session, now) => {
    if (findOperation(session, call.key)) return session;
    const ended = call.call === 'cancel' ? cancel(session, now) : session;
    const outcome = decide(ended, call);
    const operation = toOperation(call, outcome, now);
    const challenge = outcome === 'SOFT_DECLINE' ? 'WANTED' : ended.challenge;
    const after: Session = { ...ended, challenge, operations: [...ended.operations, operation] };
    const report = REPORTS[outcome];
    return report ? reported(after, report, now, call.key) : after;
  };
}

const REPORTS: Partial<Record<Outcome, ReportType>> = {
  CAPTURED: 'CAPTURED',
  VOIDED: 'VOIDED',
  REFUNDED: 'REFUNDED',
  DISPUTED: 'DISPUTED',
};

export function findOperation(session: Session, key: string): Operation | undefined {
  return session.operations.find((operation) => operation.key === key);
}

/** A refund that the simulator had accepted fails after all. The session itself when there is no such refund. */
export function failRefund(key: string): Step {
  return (session, now) => {
    const failed = session.operations.find((each) => each.key === key && each.outcome === 'REFUNDED');
    if (!failed) return session;
    const refused: Operation = { ...failed, outcome: 'REFUSED', failedAt: now };
    const operations = session.operations.map((each) => (each === failed ? refused : each));
    return reported({ ...session, operations }, 'REFUND_FAILED', now, key);
  };
}

/** The merchant gets the money of a dispute back. The session itself when there is no such dispute. */
export function winDispute(key: string): Step {
  return (session, now) => {
    const disputed = session.operations.find((each) => each.key === key && each.outcome === 'DISPUTED');
    if (!disputed) return session;
    const won: Operation = { ...disputed, outcome: 'DISPUTE_WON', wonAt: now };
    const operations = session.operations.map((each) => (each === disputed ? won : each));
    return reported({ ...session, operations }, 'DISPUTE_WON', now, key);
  };
}

function toOperation({ key, call, fingerprint, amountMinor }: MoneyCall, outcome: Outcome, now: Date): Operation {
  return {
    key,
    call,
    fingerprint,
    outcome,
    at: now,
    ...(amountMinor !== undefined && { amountMinor }),
    ...(MOVED.has(outcome) && { rrn: referenceNumber(key) }),
    ...(outcome === 'PENDING' && { settlesAt: new Date(now.getTime() + PENDING_MS) }),
  };
}

const MOVED: ReadonlySet<Outcome> = new Set(['CAPTURED', 'REFUNDED', 'PENDING']);

function decide(session: Session, call: MoneyCall): Outcome {
  switch (call.call) {
    case 'cancel':
      return session.status;
    case 'capture':
      return captureOutcome(session, call.amountMinor ?? 0);
    case 'void':
      return listCaptures(session).length > 0 ? 'REFUSED' : 'VOIDED';
    case 'refund':
      return session.behaviour === 'NO_REFUNDS' || exceedsCaptured(session, call) ? 'REFUSED' : 'REFUNDED';
    case 'dispute':
      return exceedsCaptured(session, call) ? 'REFUSED' : 'DISPUTED';
  }
}

function captureOutcome(session: Session, amountMinor: number): Outcome {
  const isVoided = session.operations.some(({ outcome }) => outcome === 'VOIDED');
  if (session.status !== 'AUTHORISED' || isVoided || amountMinor > session.amountMinor) return 'REFUSED';
  if (session.behaviour === 'REFUSED_AT_CAPTURE') return 'REFUSED';
  if (session.behaviour === 'PENDING_CAPTURE') return 'PENDING';
  const needsChallenge = session.behaviour === 'CHALLENGE' || session.behaviour === 'FAILING_CHALLENGE';
  return needsChallenge && session.challenge !== 'PASSED' ? 'SOFT_DECLINE' : 'CAPTURED';
}

function listCaptures({ operations }: Session): readonly Operation[] {
  return operations.filter(({ call, outcome }) => call === 'capture' && MOVED.has(outcome));
}

function exceedsCaptured(session: Session, { amountMinor = 0 }: MoneyCall): boolean {
  const captured = session.operations.filter(({ outcome }) => outcome === 'CAPTURED');
  return amountMinor > captured.reduce((sum, each) => sum + (each.amountMinor ?? 0), 0);
}

/** Twelve digits, as card networks give them; the same for the same key. */
function referenceNumber(key: string): string {
  const number = createHash('sha256').update(key).digest().readBigUInt64BE() % 1_000_000_000_000n;
  return String(number).padStart(12, '0');
}
