import type { Extent, Pen } from './pen.ts'

export type PictureView = 'main' | 'side' | 'detail' | 'inUse' | 'dimensions'

export type Scene = 'bench' | 'site' | 'room' | 'bath' | 'lawn' | 'terrace' | 'wall' | 'cellar' | 'pool' | 'counter' | 'board' | 'door'

/** Lengths to write beside a product, with their unit. */
export interface Lengths {
  w?: string
  h?: string
  /** What no arrow can say: an amount, a cross-section, a format. */
  note?: string
}

/** How one family of products is drawn. */
export interface FamilyDrawing {
  draw(p: Pen): Extent
  /** Left out where a drawing with numbers says nothing. */
  lengths?(p: Pen): Lengths
  scene: Scene
  /** Scale of the product in its scene, 0.6 when left out. */
  inScene?: number
  /** Hangs on a wall: no contact with the ground. */
  hangs?: boolean
  /** Looks the same from its other side, or has lettering and fittings that forbid flipping. */
  noSide?: boolean
  /** A scene of its own instead of the product put before a backdrop. */
  inUse?(p: Pen): void
}
