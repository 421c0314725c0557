/**
 * Limits the activities of this process that wait for a mail server, so that one that hangs leaves room for those that make tickets.
 * An activity that finds no room ends at once and is tried again soon: waiting, it would take the room of others. Callers: the
 * activities that send mails.
 */
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

const FIRST_PAUSE_MS = 500;
/** Attempts that find no room cost little; mails that wait are tried within this time once the server answers again. */
const LONGEST_PAUSE_MS = 15_000;

export interface MailSlotsOptions {
  readonly atOnce: number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

export class MailSlots {
  readonly #atOnce: number;
  readonly #random: () => number;
  #taken = 0;

  constructor({ atOnce, random = Math.random }: MailSlotsOptions) {
    this.#atOnce = atOnce;
    this.#random = random;
  }

  /** Call in an activity. Throws a failure that Temporal tries again where all slots are taken. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#taken >= this.#atOnce) throw this.#busy();
    this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
    }
  }

  /** Pauses grow with the attempts, and differ: those that came together do not come back together. */
  #busy(): ApplicationFailure {
    const longestMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * activityInfo().attempt);
    return ApplicationFailure.create({
      message: 'All slots for mails of this process are taken',
      type: 'MAIL_SLOTS_TAKEN',
      nextRetryDelay: Math.ceil(longestMs * (0.5 + this.#random() / 2)),
      // No fault: neither logged as a failure nor counted as one.
      category: ApplicationFailureCategory.BENIGN,
    });
  }
}
