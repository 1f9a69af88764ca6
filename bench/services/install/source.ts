/** A virtual environment of Python with exactly the packages of a file in `requirements/`. */
export interface PypiSource {
  readonly from: 'pypi';
  readonly requirements: string;
}

/** One jar of Maven Central, by `group:artifact:version` and the sha256 of the file. */
export interface MavenSource {
  readonly from: 'maven';
  readonly artifact: string;
  readonly sha256: string;
  /** Files that are taken out of the jar, by their paths in it. */
  readonly extract: readonly string[];
}

/**
 * Debian packages, unpacked into a folder: nothing is installed into the system, and no daemon is
 * started.
 */
export interface DebianSource {
  readonly from: 'debian';
  /** `name=version`. Missing packages that they depend on are unpacked beside them. */
  readonly packages: readonly string[];
}

/** A program that Go builds from a module of the module proxy, and files of modules. */
export interface GoSource {
  readonly from: 'go';
  readonly module: string;
  readonly version: string;
  /** The package of the program, below the module; empty where it is the module itself. */
  readonly command: string;
  /** Files that are copied out of modules of the same version, by their paths in them. */
  readonly copy: readonly { readonly from: string; readonly path: string }[];
}

/** Where a service comes from. */
export type Source = PypiSource | MavenSource | DebianSource | GoSource;
