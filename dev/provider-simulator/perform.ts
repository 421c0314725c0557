/** A call of the merchant under its key. */
import type { Answer } from './answering.ts';
import { applyCall, findOperation, type MoneyCall } from './money.ts';
import { found, keyReused } from './requests.ts';
import type { Operation } from './session.ts';
import { KeyTaken, type SessionStore } from './session-store.ts';

export interface PerformOptions {
  readonly sessions: SessionStore;
  /** Called after a change that may have something to report. */
  readonly wake: () => void;
}

/** The first call with a key decides; each repeat answers what came of it. */
export async function perform({ sessions, wake }: PerformOptions, sessionId: string, call: MoneyCall): Promise<Answer> {
  try {
    const after = found(await sessions.change(sessionId, applyCall(call)));
    const operation = findOperation(after, call.key);
    if (!operation || operation.fingerprint !== call.fingerprint) throw keyReused();
    wake();
    return { status: 200, json: presentOperation(operation) };
  } catch (error) {
    throw error instanceof KeyTaken ? keyReused() : error;
  }
}

export function presentOperation({ outcome, amountMinor, rrn }: Operation) {
  return { outcome, amountMinor, rrn };
}
