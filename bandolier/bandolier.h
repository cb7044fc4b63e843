// Bandolier for those who embed it: agents by name, contexts, decisions, random streams, saving and
// loading. Link bandolier::bandolier.
#pragma once

#include "bandolier/agent/named_agent.h"
#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
