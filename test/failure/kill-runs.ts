/**
 * Kills a part of the running service in the middle of each step of an import, starts it again, and compares what the
 * import comes to with an undisturbed one: the same findings, published exactly once, the same private dataset.
 * Used by kill-matrix.ts, and by its short twin kill.test.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Report, TimetableClient } from '../../dev/demo/api-client.ts';
import type { PartName, Service } from '../support/service.ts';

export const STEPS = [
  ...(['FILE_TRANSFER', 'FILE_CLASSIFICATION', 'VALIDATION', 'PUBLICATION', 'PRIVATE_EXPORT'] as const),
] as const;
export type Step = (typeof STEPS)[number];
/** Parts that are killed together. */
export const VICTIMS: readonly (readonly PartName[])[] = [
  ['timetableWorker', 'timetableValidationWorker'],
  ['api'],
  ['temporal'],
  ['mongod'],
  ['minio'],
];

export interface KillCase {
  readonly step: Step;
  readonly victims: readonly PartName[];
}

export interface Outcome {
  readonly state: string;
  readonly files: number;
  readonly findings: string;
  readonly publications: number;
  /** Sum of what `filtered` answers: the same day and content make the same bytes. */
  readonly privateDataset: string | undefined;
}

const LOOK_MS = 5;
const RETRY_MS = 250;
const IMPORT_TIMEOUT_MS = 900_000;
/** Where a zip's end record keeps the length of its comment, from the end of an archive without one. */
const COMMENT_LENGTH_AT = -2;

/** An archive with the same content and other bytes, so that it is no duplicate. */
export function variantOf(archive: Buffer, comment: string): Buffer {
  const text = Buffer.from(comment);
  const made = Buffer.concat([archive, text]);
  made.writeUInt16LE(text.length, archive.length + COMMENT_LENGTH_AT);
  return made;
}

interface Followed {
  readonly state: string;
  readonly actions?: Readonly<Record<string, { readonly state: string }>>;
  readonly publishedAt?: Date;
  readonly outbox?: readonly unknown[];
}

/** Runs imports of one archive on one service, undisturbed or with a part killed. */
export class KillRuns {
  readonly #service: Service;
  readonly #codespace: string;
  readonly #archive: Buffer;
  readonly #directory: string;
  readonly #mongo: mongoose.mongo.MongoClient;
  #count = 0;

  constructor(service: Service, codespace: string, archivePath: string, directory: string) {
    this.#service = service;
    this.#codespace = codespace;
    this.#archive = readFileSync(archivePath);
    this.#directory = directory;
    this.#mongo = new mongoose.mongo.MongoClient(service.mongoUri, { serverSelectionTimeoutMS: 2_000 });
  }

  async close(): Promise<void> {
    await this.#mongo.close();
  }

  async undisturbed(): Promise<Outcome> {
    return await this.#outcomeOf(await this.#upload(this.#fresh()));
  }

  async disturbed({ step, victims }: KillCase): Promise<Outcome> {
    const path = this.#fresh();
    const { length: before } = await this.#imports();
    const uploading = this.#upload(path);
    const killed = this.#killWhen(victims, async () => (await this.#isAt(step, before)) === true);
    const [correlationId] = await Promise.all([uploading, killed]);
    return await this.#outcomeOf(correlationId);
  }

  #fresh(): string {
    this.#count += 1;
    const path = join(this.#directory, `archive-${this.#count}.zip`);
    writeFileSync(path, variantOf(this.#archive, `${Date.now()}-${this.#count}`));
    return path;
  }

  /** As a careful client does: the same key until there is an answer. */
  async #upload(path: string): Promise<string> {
    const key = basename(path) + Math.random();
    for (;;) {
      try {
        const client = await this.#service.client();
        return await client.upload(this.#codespace, path, 'kill-run.zip', key);
      } catch (error) {
        const status = (error as { status?: number }).status;
        if (status !== undefined && status < 500 && status !== 409 && status !== 401) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  async #imports(): Promise<Followed[]> {
    return await this.#read((db) =>
      db.collection<Followed>('timetable_imports').find({ codespace: this.#codespace }).sort({ beganAt: 1 }).toArray(),
    );
  }

  async #read<Result>(query: (db: mongoose.mongo.Db) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await query(this.#mongo.db('samferd'));
      } catch {
        await delay(RETRY_MS);
      }
    }
  }

  /** True once the import that was added after `before` others is in the step. */
  async #isAt(step: Step, before: number): Promise<boolean> {
    const found = (await this.#imports())[before];
    if (!found) return false;
    if (step === 'FILE_TRANSFER') return true;
    if (found.state === 'OK' || found.state === 'FAILED') return true;
    return found.actions?.[step]?.state !== undefined;
  }

  async #killWhen(victims: readonly PartName[], isTime: () => Promise<boolean>): Promise<void> {
    while (!(await isTime())) await delay(LOOK_MS);
    for (const victim of victims) await this.#service.kill(victim);
    for (const victim of victims) await this.#service.restart(victim);
  }

  async #outcomeOf(correlationId: string): Promise<Outcome> {
    const deadline = Date.now() + IMPORT_TIMEOUT_MS;
    let state = 'IN_PROGRESS';
    while (state === 'IN_PROGRESS') {
      if (Date.now() > deadline) throw new Error(`Import ${correlationId} has not ended`);
      await delay(RETRY_MS);
      state = await this.#ask(async (client) => (await client.status(this.#codespace, correlationId)).state);
    }
    const report = await this.#ask((client) => client.report(this.#codespace, correlationId));
    const published = await this.#read((db) =>
      db.collection<Followed>('timetable_imports').findOne({ _id: correlationId } as object),
    );
    return {
      state,
      files: report.files.length,
      findings: JSON.stringify(withoutNames(report)),
      publications: published?.outbox?.length ?? 0,
      privateDataset: (await this.#ask((client) => client.downloadFiltered(this.#codespace)))?.sha256,
    };
  }

  async #ask<Result>(question: (client: TimetableClient) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await question(await this.#service.client());
      } catch (error) {
        if (((error as { status?: number }).status ?? 500) < 500) throw error;
        await delay(RETRY_MS);
      }
    }
  }
}

/** What must not differ between two imports of one archive. */
function withoutNames(report: Report): object {
  const { valid, files, findingsPerRule } = report;
  // Whether a finding is new depends on the import before.
  const findings = report.findings.map((finding) => ({ ...finding, new: undefined }));
  return { valid, files, findingsPerRule, findings };
}
