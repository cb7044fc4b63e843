// What the precompiled headers are made with: a target needs a source.
