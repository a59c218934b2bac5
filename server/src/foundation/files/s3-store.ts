import { openAsBlob } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import { UnavailableError, type FileSettings } from '#platform'
import { checkKey, type ObjectStore } from './object-store.ts'
import { spooled } from './spool.ts'

export type S3Settings = Omit<Extract<FileSettings, { store: 's3' }>, 'store'>

const timeoutMs = 30_000

/** Objects in a bucket, in path style. The bucket stays private: the shop serves public files itself. */
export function s3Store({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings): ObjectStore {
  // Server errors are retried three times, with growing pauses.
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 })
  const request = async (key: string, init: RequestInit, caller?: AbortSignal): Promise<Response> => {
    const address = `${endpoint.replace(/\/$/, '')}/${bucket}/${checkKey(key)}`
    // Covers the time until the response starts; its body may take as long as the visitor who reads it.
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), timeoutMs)
    const signal = caller ? AbortSignal.any([patience.signal, caller]) : patience.signal
    try {
      return await client.fetch(address, { ...init, signal })
    } catch (error) {
      throw new UnavailableError(`The object store does not answer: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    put: (key, source, { type, maxBytes }) =>
      // S3 requires the length up front, and the hash lets it refuse a body corrupted in transit.
      spooled(join(tmpdir(), 'purlin-uploads'), source, maxBytes, async ({ path, bytes, sha256 }) => {
        const headers = { 'content-type': type, 'x-amz-content-sha256': sha256 }
        await checked(await request(key, { method: 'PUT', body: await openAsBlob(path, { type }), headers }))
        return { bytes, sha256 }
      }),
    async get(key) {
      const response = await request(key, { method: 'GET' })
      if (response.status === 404) {
        await response.body?.cancel()
        return null
      }
      const { body, headers } = await checked(response)
      return { stream: body ? Readable.from(body) : Readable.from([]), bytes: Number(headers.get('content-length')) }
    },
    async delete(key, signal) {
      const response = await request(key, { method: 'DELETE' }, signal)
      if (response.status === 404) await response.body?.cancel()
      else await (await checked(response)).body?.cancel()
    },
  }
}

/** @throws Error with the store's response; its responses name keys and never secrets */
async function checked(response: Response): Promise<Response> {
  if (response.ok) return response
  throw new Error(`The object store answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
}
