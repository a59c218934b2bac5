import type { ReactNode } from 'react'
import styles from './gallery.module.css'

export interface GalleryPicture {
  url: string
  width: number
  height: number
  alt: string
}

export interface GalleryWords {
  /** "Enlarge picture 2" */
  enlarge: (n: number) => string
  zoom: string
  previous: string
  next: string
  close: string
}

/**
 * Pictures side by side with scroll snapping, and thumbnails that are links to a picture's position, so that
 * it works without a script and with the back button.
 */
export function Gallery({
  pictures,
  label,
  pictureOf,
  words,
}: {
  pictures: readonly GalleryPicture[]
  label: string
  pictureOf: (n: number) => string
  words: GalleryWords
}): ReactNode {
  return (
    <div
      className={styles.gallery}
      data-gallery
      data-zoom={words.zoom}
      data-previous={words.previous}
      data-next={words.next}
      data-close={words.close}
    >
      <ul className={styles.stage} aria-label={label} tabIndex={pictures.length > 1 ? 0 : undefined}>
        {pictures.map((picture, index) => (
          <li key={picture.url} id={`picture-${index + 1}`}>
            {/* Without script the picture itself, as large as the window. */}
            <a href={picture.url} aria-label={words.enlarge(index + 1)} data-enlarge={index}>
              <img
                src={picture.url}
                width={picture.width}
                height={picture.height}
                alt={picture.alt}
                loading={index === 0 ? undefined : 'lazy'}
                fetchPriority={index === 0 ? 'high' : undefined}
              />
            </a>
          </li>
        ))}
      </ul>
      {pictures.length > 1 && (
        <ol className={styles.thumbs}>
          {pictures.map((picture, index) => (
            <li key={picture.url}>
              <a
                href={`#picture-${index + 1}`}
                aria-label={pictureOf(index + 1)}
                data-thumb={index}
                aria-current={index === 0 ? 'true' : undefined}
              >
                <img src={picture.url} width={96} height={96} alt="" loading="lazy" />
              </a>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
