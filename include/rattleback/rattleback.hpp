// Rattleback: constrained mechanical systems, simulated so that what the physics preserves, the numbers preserve.
#pragma once

#include <rattleback/batch.hpp>
#include <rattleback/boundary.hpp>
#include <rattleback/error.hpp>
#include <rattleback/evidence.hpp>
#include <rattleback/expr.hpp>
#include <rattleback/formulation.hpp>
#include <rattleback/model.hpp>
#include <rattleback/operators.hpp>
#include <rattleback/output.hpp>
#include <rattleback/run.hpp>
#include <rattleback/scheme.hpp>
