/** What customers do on a terminal, and what time does to a session. Pure. */
import { randomUUID } from 'node:crypto';
import type { TestCard } from './cards.ts';
import type { Delivery, Operation, ReportType, Session, Step } from './session.ts';

/** Unruly reports: the first of a session comes this late, so that others overtake it. */
const OVERTAKEN_MS = 1_500;
const SECOND_COPY_MS = 2_500;

/** `id` keeps the step repeatable: a lost race decides again with the same ids. */
export function authorise(card: TestCard | undefined, id: string): Step {
  return (session, now) => {
    if (session.status !== 'OPEN') return session;
    const known = card && { behaviour: card.behaviour, last4: card.number.slice(-4), brand: card.brand };
    const authorised: Session = {
      ...session,
      ...(known ?? { behaviour: 'ACCEPTED', brand: session.methods[0] ?? 'MOBILE' }),
      status: 'AUTHORISED',
      authorisationId: id,
      challenge: session.challengeFirst && isChallenging(card) ? 'WANTED' : 'NONE',
    };
    return reported(authorised, 'SESSION_AUTHORISED', now);
  };
}

function isChallenging(card: TestCard | undefined): boolean {
  return card?.behaviour === 'CHALLENGE' || card?.behaviour === 'FAILING_CHALLENGE';
}

export const cancel: Step = (session, now) =>
  session.status === 'OPEN' ? reported({ ...session, status: 'CANCELLED' }, 'SESSION_CANCELLED', now) : session;

/** The issuer has asked for a challenge, and the customer can answer it. */
export function wantsChallenge({ status, challenge }: Session): boolean {
  return status === 'AUTHORISED' && challenge === 'WANTED';
}

/** One card's challenge fails although the customer approves. */
export function answerChallenge(approved: boolean): Step {
  return (session, now) => {
    if (!wantsChallenge(session)) return session;
    if (!approved || session.behaviour === 'FAILING_CHALLENGE') {
      return reported({ ...session, status: 'REFUSED', challenge: 'NONE' }, 'SESSION_REFUSED', now);
    }
    return reported({ ...session, challenge: 'PASSED' }, 'CHALLENGE_PASSED', now);
  };
}

/** What has happened by itself until now. Reads take it too, so that all of them agree. */
export const passTime: Step = (session, now) => {
  if (session.status === 'OPEN' && session.expiresAt <= now) {
    return reported({ ...session, status: 'EXPIRED' }, 'SESSION_EXPIRED', session.expiresAt);
  }
  const due = session.operations.find(({ settlesAt }) => settlesAt !== undefined && settlesAt <= now);
  if (!due?.settlesAt) return session;
  const { settlesAt: at, ...pending } = due;
  const settled: Operation = { ...pending, outcome: 'CAPTURED', at };
  const operations = session.operations.map((each) => (each === due ? settled : each));
  return reported({ ...session, operations }, 'CAPTURED', at, due.key);
};

/** When `passTime` or a delivery has work to do. Undefined: never. */
export function nextDue({ status, expiresAt, operations, deliveries }: Session): Date | undefined {
  const times = [
    ...(status === 'OPEN' ? [expiresAt] : []),
    ...operations.flatMap(({ settlesAt }) => (settlesAt ? [settlesAt] : [])),
    ...deliveries.flatMap(({ endedAt, dueAt }) => (endedAt ? [] : [dueAt])),
  ].map((time) => time.getTime());
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

export function reported(session: Session, type: ReportType, at: Date, key?: string): Session {
  const first: Delivery = { id: randomUUID(), type, ...(key !== undefined && { key }), at, dueAt: at, attempts: 0 };
  if (session.behaviour !== 'UNRULY_REPORTS') return { ...session, deliveries: [...session.deliveries, first] };
  const lateMs = session.deliveries.length === 0 ? OVERTAKEN_MS : 0;
  const copies = [lateMs, lateMs + SECOND_COPY_MS].map((ms) => ({ ...first, dueAt: new Date(at.getTime() + ms) }));
  return { ...session, deliveries: [...session.deliveries, ...copies] };
}
