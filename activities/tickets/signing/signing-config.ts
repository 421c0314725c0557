/** What the documents worker signs with. */
import { z } from 'zod';
import { ConfigError } from '../../../platform/config.ts';
import { KeyFileError, loadKeyFile } from './key-file.ts';

export const signingShape = {
  /** The file that lists the keys: docs/operations/ticket-keys.md. Changes of it are followed. */
  TICKET_SIGNING_KEYS: z.string(),
};

export interface SigningConfig {
  readonly TICKET_SIGNING_KEYS: string;
  readonly ENVIRONMENT: string;
}

/** Throws ConfigError for a file that is missing, unusable, or of another environment. */
export function checkSigningConfig({ TICKET_SIGNING_KEYS, ENVIRONMENT }: SigningConfig): void {
  try {
    loadKeyFile(TICKET_SIGNING_KEYS, ENVIRONMENT);
  } catch (error) {
    throw error instanceof KeyFileError ? new ConfigError([`TICKET_SIGNING_KEYS: ${error.message}`]) : error;
  }
}
