/** Checks the form of an update `convert`. Pure and synchronous: a refused one leaves no trace in the history. */
import type { ConversionRequest } from '../messages.ts';

const ID = /^[\w.:-]{1,100}$/;

export function isConversionRequest(value: unknown): value is ConversionRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { conversionId, ...rest } = value as Readonly<Record<string, unknown>>;
  return typeof conversionId === 'string' && ID.test(conversionId) && Object.keys(rest).length === 0;
}
