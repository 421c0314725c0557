/** Rights as a policy in the language that S3, MinIO and most others share. Callers: ops/privileges, tests. */
import type { ObjectRight } from '../area.ts';
import type { Rights } from './process-privileges.ts';

export interface BucketPolicy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly PolicyStatement[];
}

interface PolicyStatement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: { readonly StringLike: { readonly 's3:prefix': readonly string[] } };
}

const ACTIONS: Readonly<Record<Exclude<ObjectRight, 'list'>, readonly string[]>> = {
  get: ['s3:GetObject'],
  put: ['s3:AbortMultipartUpload', 's3:ListMultipartUploadParts', 's3:PutObject'],
  delete: ['s3:AbortMultipartUpload', 's3:DeleteObject'],
};

export function toBucketPolicy(bucket: string, rights: Rights<ObjectRight>): BucketPolicy {
  const resource = `arn:aws:s3:::${bucket}`;
  const listed = [...rights].flatMap(([prefix, each]) => (each.has('list') ? [`${prefix}*`] : []));
  // Every writer also removes unfinished uploads. No condition can limit their list to a prefix, so it shows keys of
  // others.
  const isWriting = [...rights.values()].some((each) => each.has('put') || each.has('delete'));
  return policyOf([
    // The readiness check needs it. It reveals only that the bucket exists.
    { Effect: 'Allow', Action: ['s3:GetBucketLocation'], Resource: [resource] },
    ...(isWriting
      ? [{ Effect: 'Allow' as const, Action: ['s3:ListBucketMultipartUploads'], Resource: [resource] }]
      : []),
    ...(listed.length > 0
      ? [
          {
            Effect: 'Allow' as const,
            Action: ['s3:ListBucket'],
            Resource: [resource],
            Condition: { StringLike: { 's3:prefix': listed } },
          },
        ]
      : []),
    ...[...rights].flatMap(([prefix, each]) => toObjectStatement(`${resource}/${prefix}*`, each)),
  ]);
}

/** Policy of a back-up. */
export function readingAllObjects(bucket: string): BucketPolicy {
  return policyOf(toWholeBucket(bucket, new Set(['get'])));
}

/** Policy of a restore: it adds to the objects below `addedTo`, and deletes none of them. */
export function replacingAllObjects(bucket: string, addedTo: readonly string[]): BucketPolicy {
  const Resource = addedTo.map((prefix) => `arn:aws:s3:::${bucket}/${prefix}*`);
  return policyOf([
    ...toWholeBucket(bucket, new Set(['get', 'put', 'delete'])),
    ...(Resource.length > 0 ? [{ Effect: 'Deny' as const, Action: ['s3:DeleteObject'], Resource }] : []),
  ]);
}

function toWholeBucket(bucket: string, rights: ReadonlySet<ObjectRight>): readonly PolicyStatement[] {
  const resource = `arn:aws:s3:::${bucket}`;
  const Action = ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'];
  return [{ Effect: 'Allow', Action, Resource: [resource] }, ...toObjectStatement(`${resource}/*`, rights)];
}

function toObjectStatement(resource: string, rights: ReadonlySet<ObjectRight>): readonly PolicyStatement[] {
  const actions = [...rights].flatMap((right) => (right === 'list' ? [] : ACTIONS[right]));
  if (actions.length === 0) return [];
  return [{ Effect: 'Allow', Action: [...new Set(actions)].sort(), Resource: [resource] }];
}

function policyOf(Statement: readonly PolicyStatement[]): BucketPolicy {
  return { Version: '2012-10-17', Statement };
}
