/** Uploads: files sent with a form, their limits, and the links that open them. */
export { takeUpload, uploadLimits } from './take-upload.ts'
export { connectBuyers } from './pot.ts'
export { disownUploads, dropUploads, dropUploadsOf, findUsed as findUpload, readAttached, readUploadsOf, type Attached } from './store.ts'
export { uploadLink } from './upload-link.ts'
export { useUploads } from './use-uploads.ts'
