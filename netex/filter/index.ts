/** The filter's exports to other modules. See package.md. */
export { filterDataset } from './filter-dataset.ts';
export type {
  DropReason,
  FilteredFile,
  FilterMode,
  FilterOutcome,
  FilterRequest,
  FilterSink,
} from './filter-types.ts';
