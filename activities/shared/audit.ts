/**
 * The interface of the audit log for areas and processes: who did what to which resource, from where, with which outcome.
 * The area `audit` implements it.
 */
import { z } from 'zod';
import { interfaceKey } from '../../platform/interfaces.ts';
import { type KeyRing, parseKeyRing } from '../../platform/keys/key-ring.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';

/** The party that acts. A person is never named: a client stands for its organisation, a command for the operator. */
export type AuditActor =
  | { readonly kind: 'CLIENT'; readonly id: string; readonly organisationId: OrganisationId }
  /** An operator's command, as `client`. */
  | { readonly kind: 'COMMAND'; readonly id: string }
  /** A process of the service that acts by itself, as `operations-worker`. */
  | { readonly kind: 'PROCESS'; readonly id: string };

export interface AuditedAction {
  /** `<resource>.<verb>`, as `client.create`. Never renamed. */
  readonly action: string;
  readonly actor: AuditActor;
  /** The id is absent while a resource has none; then the outcome's entry has it. Never a name, a secret or personal data. */
  readonly resource: { readonly type: string; readonly id?: string };
  /** By which a rule was lifted, as `GOODWILL`. */
  readonly code?: string;
  /** Network address of the caller, or the host of a command. */
  readonly address?: string;
  readonly correlationId?: string;
  /** The act stops harm, so it goes on when its attempt cannot be written. Absent: then it does not happen. */
  readonly evenUnrecorded?: boolean;
}

export interface AuditTrail {
  /**
   * Writes the entry ATTEMPTED, calls `act`, and writes its outcome. Throws without calling `act` when the first entry
   * cannot be written, unless the action says otherwise. `idOf` finds the id of a resource that `act` has made.
   */
  record<Result>(
    action: AuditedAction,
    act: () => Promise<Result>,
    idOf?: (result: Result) => string | undefined,
  ): Promise<Result>;
}

export const AUDIT_TRAIL = interfaceKey<AuditTrail>('audit');

/** The same log for acts that stop harm. */
export function evenUnrecorded(trail: AuditTrail): AuditTrail {
  return { record: async (action, act, idOf) => await trail.record({ ...action, evenUnrecorded: true }, act, idOf) };
}

/** Where nothing is to be recorded: tests of other parts. */
export const NO_AUDIT: AuditTrail = { record: async (_action, act) => await act() };

const VARIABLE = 'AUDIT_KEYS';

export const auditShape = {
  /** `keyId:base64 of 32 bytes`, comma-separated; the first writes, all verify. */
  AUDIT_KEYS: z.string().transform((text, context): KeyRing => {
    try {
      return parseKeyRing(text, VARIABLE);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  }),
};
