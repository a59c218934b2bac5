/** For run-payouts.test.ts: a worker in a process of its own, which the test kills. Arguments: connection string, folder of files. */
import { createPool } from '#platform'
import { connectObjectStore, folderStore } from '#files'
import { startWorker } from '../../edges/worker/worker.ts'
import { jobs } from './jobs.ts'

const [, , connectionString = '', folder = ''] = process.argv
connectObjectStore(folderStore(folder))
startWorker({ pool: createPool({ connectionString }), name: 'killed', handlers: [], jobs, schedules: [] })
