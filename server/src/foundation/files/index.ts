/** Pictures, documents and uploads: bytes in the object store, and their owners. */
export { asset } from './assets.ts'
export { folderStore } from './folder-store.ts'
export { fileHeaders, publicAddress } from './headers.ts'
export { kinds, type FileKind, type FileType } from './kinds.ts'
export { connectObjectStore, type ObjectStore, type Source } from './object-store.ts'
export { openFile, putCheckedFile, putFile, removeFile, type CheckedPutResult, type NewFile, type PutResult } from './put-file.ts'
export { openObjectStore } from './open-object-store.ts'
export type { StoredFile } from './store.ts'
