/** Whether an update's request has the form that its type says: only then it enters the history. Pure. */
import { TEXT_LANGUAGES } from '../../shared/text.ts';

type Members = Readonly<Record<string, unknown>>;

export function isGenerateRequest(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { orderLineIds, language, ...rest } = value;
  const hasLines =
    orderLineIds === undefined || (Array.isArray(orderLineIds) && orderLineIds.every((id) => typeof id === 'string'));
  const hasLanguage = language === undefined || TEXT_LANGUAGES.some((each) => each === language);
  return hasLines && hasLanguage && Object.keys(rest).length === 0;
}

export function isDistributeRequest(value: unknown): boolean {
  return isObject(value) && typeof value.mailing === 'string' && Object.keys(value).length === 1;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}
