/** For sending.test.ts: a worker in a process of its own, which the test kills. Arguments: connection string, SMTP address. */
import { createPool } from '#platform'
import { startWorker } from '../../edges/worker/worker.ts'
import { jobs } from './jobs.ts'
import { smtpTransport, useMailSettings } from './settings.ts'

const [, , connectionString = '', smtp = ''] = process.argv
useMailSettings({ sender: 'Purlin <orders@purlin.example>', smtp: smtpTransport(smtp) })
startWorker({ pool: createPool({ connectionString }), name: 'killed', handlers: [], jobs, schedules: [] })
process.send?.('started')
