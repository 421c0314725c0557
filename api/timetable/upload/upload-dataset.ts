/**
 * Receives an archive. The receipt is written first and accepted last. Whenever the process dies, the stored archive is
 * either accepted, or the sweep removes it; the sweep also starts accepted imports.
 */

import type { CodespaceRecord } from '../../../activities/timetable/codespace-store.ts';
import { removeAbandoned } from '../../../activities/timetable/import-clean-up.ts';
import type { ImportRecord } from '../../../activities/timetable/import-store.ts';
import { uploadKey } from '../../../activities/timetable/object-keys.ts';
import { RECEIPT_LEASE_MS } from '../../../activities/timetable/receipt-store.ts';
import { startPending } from '../../../platform/aggregate/pending-starts.ts';
import type { Codespace, CorrelationId } from '../../../workflows/shared/ids.ts';
import type { KeptReply, Operation, OperationContext, ReplyOf } from '../../shared/operation.ts';
import { refuseExpiredToken } from '../../shared/refuse-expired-token.ts';
import type { Operations } from '../contract.gen.ts';
import type { TimetableDependencies } from '../dependencies.ts';
import { getGrantedCodespace, toCorrelationId } from '../requests.ts';
import { checkUploadHead, type ReceivedFile, receiveFile } from './receive-file.ts';
import { countStatedBytes } from './stated-bytes.ts';
import { type UploadCount, UploadSlots } from './upload-slot.ts';

type Dependencies = TimetableDependencies;
type UploadDataset = Operations['uploadDataset'];
type Upload = OperationContext<UploadDataset>;
type Counted = Upload & { readonly count: UploadCount };

export function createUpload(dependencies: Dependencies): Operation<UploadDataset> {
  const { uploadLimitBytes, quotas } = dependencies;
  const slots = new UploadSlots(quotas);
  return async (context) => {
    const announcedBytes = checkUploadHead(context.request, uploadLimitBytes) ?? uploadLimitBytes;
    const slot = { clientId: context.caller.clientId, announcedBytes, log: context.log };
    return await slots.use(slot, async (count) => {
      const owner = await getGrantedCodespace(dependencies.codespaces, context);
      return await receive(dependencies, { ...context, count }, owner);
    });
  };
}

async function receive(
  dependencies: Dependencies,
  context: Counted,
  owner: CodespaceRecord,
): Promise<ReplyOf<UploadDataset>> {
  const claim = await context.idempotency.claim();
  const correlationId = toCorrelationId(claim.workId);
  // An earlier attempt under the same key has stored the archive: this body only has to prove that it is the same.
  const known = claim.bodyKnown && (await dependencies.receipts.isStored(owner.codespace, correlationId));
  const reply = known
    ? await claim.identify((await readOnly(dependencies, context)).sha256)
    : await store(dependencies, context, owner, correlationId, claim.identify);
  if (reply) return reply;
  await accept(dependencies, context, owner.codespace, correlationId);
  return { status: 200, json: { correlationId } };
}

async function readOnly({ uploadLimitBytes }: Dependencies, context: Counted): Promise<ReceivedFile> {
  const { signal, count } = context;
  const options = { limitBytes: uploadLimitBytes, signal, count: count.received };
  const received = await receiveFile(context.request, options, async (file) => {
    for await (const _chunk of file);
  });
  refuseExpiredToken(context.caller);
  return received;
}

/** Removes the receipt and the stored bytes when it throws. */
async function store(
  dependencies: Dependencies,
  context: Counted,
  { codespace, ownerOrganisationId }: CodespaceRecord,
  correlationId: CorrelationId,
  identify: (sha256: string) => Promise<KeptReply | undefined>,
): Promise<KeptReply | undefined> {
  const { receipts } = dependencies;
  const { clientId } = context.caller;
  await receipts.begin({ codespace, correlationId, organisationId: ownerOrganisationId, clientId });
  try {
    const file = await transfer(dependencies, context, codespace, correlationId);
    refuseExpiredToken(context.caller);
    await context.count.unpacked(
      await countStatedBytes(dependencies.objects, uploadKey(codespace, correlationId), file),
    );
    await receipts.markStored(codespace, correlationId, file);
    dependencies.onReceived?.(file.sizeBytes);
    const reply = await identify(file.sha256);
    if (reply) await abandon(dependencies, context, codespace, correlationId);
    return reply;
  } catch (error) {
    await abandon(dependencies, context, codespace, correlationId);
    throw error;
  }
}

async function transfer(
  { receipts, objects, uploadLimitBytes }: Dependencies,
  context: Counted,
  codespace: Codespace,
  correlationId: CorrelationId,
): Promise<ReceivedFile> {
  const givenUp = new AbortController();
  const signal = AbortSignal.any([context.signal, givenUp.signal]);
  const renewal = setInterval(() => {
    receipts.renewLease(codespace, correlationId).catch((error: unknown) => {
      // Only a removed receipt ends the upload; a database that is briefly unavailable does not.
      if (error instanceof Error && 'code' in error && error.code === 'UNAVAILABLE') givenUp.abort(error);
      else context.log.warn({ err: error }, 'the lease of an upload could not be renewed');
    });
  }, RECEIPT_LEASE_MS / 4);
  try {
    return await receiveFile(
      context.request,
      { limitBytes: uploadLimitBytes, signal, count: context.count.received },
      (file) =>
        objects.putStream(uploadKey(codespace, correlationId), file, { contentType: 'application/zip', signal }),
    );
  } finally {
    clearInterval(renewal);
  }
}

/** Best effort: the sweep removes the rest. An accepted import stays. */
async function abandon(
  dependencies: Dependencies,
  context: Upload,
  codespace: Codespace,
  correlationId: CorrelationId,
): Promise<void> {
  try {
    if (!(await dependencies.receipts.abandon(codespace, correlationId))) return;
    await removeAbandoned(dependencies, { codespace, correlationId });
  } catch (error) {
    context.log.warn({ err: error, correlationId }, 'a failed upload is left to the sweep');
  }
}

async function accept(
  dependencies: Dependencies,
  context: Upload,
  codespace: Codespace,
  correlationId: CorrelationId,
): Promise<void> {
  const record = await dependencies.receipts.accept(codespace, correlationId);
  const { importKey, sizeBytes, state } = record;
  context.log.info({ codespace, importCorrelationId: correlationId, importKey, sizeBytes, state }, 'dataset received');
  if (state === 'IN_PROGRESS') await start(dependencies, context, record);
  else if (record.actions.FILE_TRANSFER?.state === 'DUPLICATE') await removeDuplicate(dependencies, context, record);
}

async function start({ imports, startImport }: Dependencies, { log }: Upload, record: ImportRecord): Promise<void> {
  const { codespace, correlationId } = record;
  await startPending(
    { codespace, correlationId },
    {
      start: startImport,
      clear: () => imports.clearPendingStart(codespace, correlationId),
      describe: () => ({ codespace, importCorrelationId: correlationId }),
      log,
    },
  );
}

async function removeDuplicate(
  { objects, versions }: Dependencies,
  { log }: Upload,
  { codespace, correlationId }: ImportRecord,
): Promise<void> {
  try {
    await objects.delete(uploadKey(codespace, correlationId));
    await versions.markPurged({ codespace, correlationId });
  } catch (error) {
    // The receipt is accepted all the same.
    log.warn({ err: error, importCorrelationId: correlationId }, 'a repeated archive is left to the sweep');
  }
}
