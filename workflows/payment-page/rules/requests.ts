/** Checks the form of updates. Pure and synchronous: a refused one leaves no trace in the history. */
import type { CancelRequest, PatchRequest, PayRequest } from '../messages.ts';

const TEXT = /^[\w.:/ -]{1,100}$/;
const MOST_METHODS = 50;

type Members = Readonly<Record<string, unknown>>;

export function isPayRequest(value: unknown): value is PayRequest {
  const given = membersOf(value, [
    'number',
    'amountMinor',
    'contentMark',
    'paymentTypeGroup',
    'paymentType',
    'language',
    'correlationId',
  ]);
  if (!given) return false;
  const { number, amountMinor, contentMark, paymentTypeGroup, paymentType, language, correlationId } = given;
  return (
    isCount(number) &&
    isCount(amountMinor) &&
    [contentMark, paymentTypeGroup, paymentType, language, correlationId].every(isText)
  );
}

export function isPatchRequest(value: unknown): value is PatchRequest {
  const given = membersOf(value, ['workId', 'ifRevision', 'expireAtMs', 'paymentMethods', 'correlationId']);
  if (!given) return false;
  const { workId, ifRevision, expireAtMs, paymentMethods, correlationId } = given;
  return (
    [workId, correlationId].every(isText) &&
    [ifRevision, expireAtMs].every((count) => count === undefined || isCount(count)) &&
    (paymentMethods === undefined || isMethods(paymentMethods))
  );
}

export function isCancelRequest(value: unknown): value is CancelRequest {
  const given = membersOf(value, ['workId', 'ifRevision', 'correlationId']);
  if (!given) return false;
  return (
    [given.workId, given.correlationId].every(isText) && (given.ifRevision === undefined || isCount(given.ifRevision))
  );
}

function isMethods(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_METHODS) return false;
  return value.every((method) => {
    const given = membersOf(method, ['paymentTypeGroup', 'paymentType']);
    return given !== undefined && isText(given.paymentTypeGroup) && isText(given.paymentType);
  });
}

/** Undefined for what is no object, or has other members. */
function membersOf(value: unknown, known: readonly string[]): Members | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.keys(value).every((name) => known.includes(name)) ? (value as Members) : undefined;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && TEXT.test(value);
}
