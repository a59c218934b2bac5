import type { FileSettings } from '#platform'
import { folderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import { s3Store } from './s3-store.ts'

/** The configured object store. */
export function openObjectStore(settings: FileSettings): ObjectStore {
  return settings.store === 's3' ? s3Store(settings) : folderStore(settings.directory)
}
