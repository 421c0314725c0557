/** Everything that the documents worker signs with, and what it publishes for inspectors. Caller: the role. */
import type { Connection } from 'mongoose';
import { Gauge, type Registry } from 'prom-client';
import type { Logger } from '../../../platform/log.ts';
import type { RepeatedTask } from '../../../platform/process/repeat.ts';
import { InspectionFileMaker } from '../inspection/inspection-file-maker.ts';
import { InspectionFileStore } from '../inspection/inspection-file-store.ts';
import { RevokedTickets } from '../inspection/revoked-tickets.ts';
import type { SigningConfig } from './signing-config.ts';
import { TicketKeyStore } from './ticket-key-store.ts';
import { TicketKeys } from './ticket-keys.ts';
import type { TicketSigner } from './ticket-signer.ts';

export interface OpenedSigning {
  readonly signer: TicketSigner;
  readonly repeated: readonly RepeatedTask[];
  readonly stop: () => Promise<void>;
}

/** With the next line: how long a withdrawn key is believed by devices that have a connection. */
const KEYS_EVERY_MS = 5_000;
/** A revoked ticket is in the file soon after; devices fetch it when they have a connection. */
const FILE_EVERY_MS = 10_000;

export async function openTicketSigning(base: {
  readonly config: SigningConfig;
  readonly mongo: Connection;
  readonly registry: Registry;
  readonly log: Logger;
}): Promise<OpenedSigning> {
  const { config, mongo, registry, log } = base;
  const store = new TicketKeyStore(mongo);
  const { TICKET_SIGNING_KEYS: path, ENVIRONMENT: environment } = config;
  const keys = await TicketKeys.open({ path, environment, store, log });
  const files = new InspectionFileStore(mongo);
  const maker = new InspectionFileMaker({ files, keys, revoked: new RevokedTickets(mongo) });
  registerMetrics(registry, keys, maker);
  return {
    signer: keys,
    repeated: [
      { name: 'ticket-keys', everyMs: KEYS_EVERY_MS, run: async () => await keys.follow() },
      { name: 'ticket-inspection-file', everyMs: FILE_EVERY_MS, run: async () => void (await maker.keep()) },
    ],
    stop: async () => keys.close(),
  };
}

function registerMetrics(registry: Registry, keys: TicketKeys, maker: InspectionFileMaker): void {
  const registers = [registry];
  new Gauge({
    name: 'ticket_keys_sign_until_seconds',
    help: 'Unix time until which the present keys can sign any ticket',
    registers,
    collect() {
      this.set(keys.signsUntil.getTime() / 1000);
    },
  });
  new Gauge({
    name: 'ticket_keys_faulty',
    help: '1 while the file of ticket signing keys is unusable and former keys sign',
    registers,
    collect() {
      this.set(keys.isSound ? 0 : 1);
    },
  });
  new Gauge({
    name: 'ticket_keys_foreign',
    help: 'Published ticket keys that this process does not know from its file and that have not ended',
    registers,
    collect() {
      this.set(keys.foreign.length);
    },
  });
  new Gauge({
    name: 'ticket_keys_differing',
    help: 'Keys of the file of this process that are published with an earlier end',
    registers,
    collect() {
      this.set(keys.differing.length);
    },
  });
  new Gauge({
    name: 'ticket_inspection_file_revoked_count',
    help: 'Revoked tickets when the newest inspection file was made; it has room for 500,000',
    registers,
    collect() {
      this.set(maker.revokedCount);
    },
  });
  new Gauge({
    name: 'ticket_inspection_file_valid_until_seconds',
    help: 'Unix time until which the newest inspection file can be trusted; 0 before there is one',
    registers,
    collect() {
      this.set((maker.validUntil?.getTime() ?? 0) / 1000);
    },
  });
}
