// SPDX-License-Identifier: MIT
/// All of Mugrad. Include the single headers instead where compile time matters.
#pragma once

#include <mugrad/core/error.h>
#include <mugrad/data/align.h>
#include <mugrad/data/block_reader.h>
#include <mugrad/data/catalog.h>
#include <mugrad/data/dataset.h>
#include <mugrad/data/files.h>
#include <mugrad/data/generator.h>
#include <mugrad/data/scaling.h>
#include <mugrad/data/splits.h>
#include <mugrad/method/br.h>
#include <mugrad/method/certify.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>
#include <mugrad/method/mgd_path.h>
#include <mugrad/method/multi_task.h>
#include <mugrad/method/task_relations.h>
#include <mugrad/metric/evaluate.h>
#include <mugrad/model/model.h>
#include <mugrad/model/scorer.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/objective/own_tasks.h>
#include <mugrad/solver/find_equilibrium.h>
#include <mugrad/solver/mgd_iteration.h>
#include <mugrad/theory/certificate.h>
#include <mugrad/theory/potential.h>
#include <mugrad/theory/step.h>
#include <mugrad/transfer/transfer.h>
#include <mugrad/version.h>
