/**
 * Work for workers, and other builds of them: imports that can be held half-way, profiles that wait. Used by tests of workers' versions
 * and of two workers side by side.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import { WorkerVersions } from '../../platform/temporal/worker-versions.ts';
import { loadWorkflowBundle } from '../../workers/shared/bundle.ts';
import { temporaryProfileWorkflowId } from '../../workflows/customers/messages.ts';
import type { Codespace, CorrelationId, CustomerNumber } from '../../workflows/shared/ids.ts';
import { datasetImportWorkflowId } from '../../workflows/timetable/messages.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { LINE_FILE } from '../support/netex-samples.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { writeZip } from '../support/zip-writer.ts';
import { variantOf } from './kill-runs.ts';

const CODESPACE = 'dem';
const FIRST_OF_VALIDATION = 'indexCommonFiles';
const PATIENT = { timeoutMs: 120_000 };
const BY = { changedBy: 'builds', changedByChannel: 'test' };

/** One file with faults: its import goes through validation within a second, and ends FAILED. */
export const FAULTY_ARCHIVE = writeZip([{ name: 'line.xml', data: LINE_FILE.replaceAll('TST', 'DEM') }]);

export interface Build {
  readonly path: string;
  readonly checksum: string;
}

export class WorkerBuilds {
  readonly temporal: TemporalClient;
  readonly versions: WorkerVersions;
  readonly #service: Service;
  readonly #archive: Buffer;
  readonly #folder = temporaryDirectory('builds');
  #token = '';
  #count = 0;

  constructor(service: Service, archive: Buffer = FAULTY_ARCHIVE) {
    this.#service = service;
    this.#archive = archive;
    this.temporal = new TemporalClient({
      TEMPORAL_ADDRESS: service.temporalAddress,
      TEMPORAL_NAMESPACE: 'default',
      PAYLOAD_KEYS: service.payloadKeys,
    });
    this.versions = new WorkerVersions(this.temporal);
  }

  async prepare(): Promise<void> {
    const owner = { ownerOrganisationId: 1, allowedXmlns: ['NSR', 'PEN'], profile: 'timetable' } as const;
    await (await this.#service.client()).putCodespace(CODESPACE, { name: 'Demo', xmlns: 'DEM', ...owner });
    this.#token = await this.#service.token(['profiles:read', 'profiles:write']);
  }

  /** The very bundle the service has begun with. */
  async first(): Promise<Build> {
    const path = this.#service.workflowBundle;
    return { path, checksum: (await loadWorkflowBundle(path)).checksum };
  }

  /** Does the same as the first, and is another build. */
  async another(name: string): Promise<Build> {
    const path = join(this.#folder, `${name}.js`);
    writeFileSync(path, `/* ${name} */\n${readFileSync((await this.first()).path, 'utf8')}`);
    return { path, checksum: (await loadWorkflowBundle(path)).checksum };
  }

  async untilCurrent(deployment: string, { checksum }: Build): Promise<void> {
    const isCurrent = async () => (await this.versions.findDeployment(deployment))?.current === checksum;
    await until(isCurrent, { ...PATIENT, what: `${deployment} of build ${checksum}` });
  }

  /** Answers the id of its workflow. */
  async upload(): Promise<string> {
    this.#count += 1;
    const path = join(this.#folder, `archive-${this.#count}.zip`);
    writeFileSync(path, variantOf(this.#archive, randomUUID()));
    const correlationId = await (await this.#service.client()).upload(CODESPACE, path);
    return datasetImportWorkflowId(CODESPACE as Codespace, correlationId as CorrelationId);
  }

  /** Until it waits for a worker of the queue `timetable-validation`. */
  async untilHeld(workflowId: string): Promise<void> {
    const isHeld = async () => {
      const { raw } = await this.temporal.client.workflow.getHandle(workflowId).describe();
      return raw.pendingActivities?.some(({ activityType }) => activityType?.name === FIRST_OF_VALIDATION) ?? false;
    };
    await until(isHeld, { ...PATIENT, what: `${workflowId} to be held` });
  }

  /** State of an import that ends. */
  async stateOf(workflowId: string): Promise<string> {
    return ((await this.temporal.client.workflow.getHandle(workflowId).result()) as { state: string }).state;
  }

  /** That has run its last step. */
  async buildOf(workflowId: string): Promise<string | null | undefined> {
    const { raw } = await this.temporal.client.workflow.getHandle(workflowId).describe();
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  }

  async createTemporary(): Promise<string> {
    const expirationDate = new Date(Date.now() + 86_400_000).toISOString();
    const by = { createdBy: 'builds', createdByChannel: 'test', organisationId: 1 };
    const person = { firstName: 'Kari', surname: 'Nordmann', email: `${randomUUID()}@example.org`, expirationDate };
    return String((await this.#post('/profiles/temporary', { ...person, ...by })).customerNumber);
  }

  /** By an update of its workflow. */
  async convert(customerNumber: string): Promise<string> {
    const { profileType } = await this.#post(`/profiles/temporary/${customerNumber}/convert`, BY);
    await this.temporal.client.workflow.getHandle(this.profileWorkflow(customerNumber)).result();
    return String(profileType);
  }

  profileWorkflow(customerNumber: string): string {
    return temporaryProfileWorkflowId(customerNumber as CustomerNumber);
  }

  async close(): Promise<void> {
    await this.temporal.close();
  }

  async #post(path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#service.apiUrl}/customers/v2${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${JSON.stringify(json)}`);
    return json;
  }
}
