/** Checks the findings of the shared real data. One file, because validating the data takes most of the time. */
import './shared-data/expected.ts';
import './shared-data/timetable-meaning.ts';
import { forgetDatasets } from './shared-data/validated-datasets.ts';

after(forgetDatasets);
