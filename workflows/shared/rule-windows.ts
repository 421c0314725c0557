/**
 * Which rule of change or refund is in force at a moment, and how long. Windows are counted back from the departure, or
 * from the start of validity. Pure.
 */
import type { RuleWindow } from './fares.ts';
import { subtractDuration } from './local-time.ts';

export interface RuleInForce<Rule> {
  readonly rule: Rule;
  /** The rule is in force before this instant. */
  readonly until: Date;
}

/** `anchor`: what the windows lie before. Undefined when no window holds the moment. */
export function ruleInForce<Rule extends RuleWindow>(
  rules: readonly Rule[],
  anchor: Date,
  now: Date,
  timeZone: string,
): RuleInForce<Rule> | undefined {
  for (const rule of rules) {
    const until = subtractDuration(anchor, rule.untilBefore, timeZone);
    const from = rule.fromBefore === undefined ? undefined : subtractDuration(anchor, rule.fromBefore, timeZone);
    const hasBegun = from === undefined || from.getTime() <= now.getTime();
    if (hasBegun && now.getTime() < until.getTime()) return { rule, until };
  }
  return undefined;
}
